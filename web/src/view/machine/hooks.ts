import { useEffect, useState } from "preact/hooks";

/** `value` once it has stood still for a moment: what costs much is asked when a slider rests. */
export function useSettled<T>(value: T, key: string, wait = 250): T {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    if (settled.key === key) return;
    const timer = setTimeout(() => setSettled({ value, key }), wait);
    return () => clearTimeout(timer);
  }, [key]);
  return settled.value;
}
