// Parts of the page that nobody needs before it trains: chunks of their own, asked for when nothing more urgent is on its way.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

const again = 5000; // milliseconds until what did not come is asked for anew

type PropertiesOf<View> = View extends (properties: infer Properties extends object) => unknown ? Properties : never;

/**
 * The view `name` of a module, which is loaded once it is `wanted`; it draws nothing until it is there, and then says so by
 * `onDrawn`. Where it came before, by `come`, it is there at once.
 */
export function late<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Properties = PropertiesOf<Module[Name]>;
  let view: ComponentType<Properties> | null = null;
  const come = () => load().then((loaded) => (view = loaded[name] as ComponentType<Properties>));
  function Late({ wanted, onDrawn, ...given }: Properties & { wanted: boolean; onDrawn?: () => void }) {
    const [, drawn] = useState<unknown>(null);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (!wanted || view) return;
      come().then(
        (loaded) => drawn(() => loaded),
        () => setTimeout(() => setFailures(failures + 1), again),
      );
    }, [wanted, failures]);
    const View = view;
    useEffect(() => {
      if (wanted && View) onDrawn?.();
    }, [wanted, View]);
    return View && <View {...(given as unknown as Properties)} />;
  }
  return Object.assign(Late, { come });
}
