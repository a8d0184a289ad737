import { expect, test } from "vitest";
import { type Engine, type EngineMaker, Refusal, type StepReport } from "./engine";
import type { News, Order } from "./messages";
import { Trainer } from "./trainer";

const refusal = () =>
  new Refusal([{ number: "X702", sentence: "The text is empty.", line: 0, because: [], rule: "", fix: [] }]);

/** An engine that counts; a text of no bytes is refused. */
function countingMaker(steps: number) {
  const made: { closed: boolean; steps: number; freedBefore: number }[] = [];
  const maker: EngineMaker = {
    checkSize(bytes) {
      if (bytes > 1000) throw refusal();
    },
    open(text): Engine {
      if (text.length === 0) throw refusal();
      const self = { closed: false, steps: 0, freedBefore: made.filter((each) => each.closed).length };
      made.push(self);
      return {
        step: () =>
          ({ step: ++self.steps, loss: 1, replica_losses: [], milliseconds: 1000, tokens: 1 }) as unknown as StepReport,
        evaluate: () => ({ held_out_loss: 2, masked_tokens: 3 }),
        fill(sentence) {
          if (!sentence.includes("[MASK]")) throw refusal();
          return [{ position: 1, candidates: [] }];
        },
        summary: () => ({ steps }) as ReturnType<Engine["summary"]>,
        parametersHash: () => `hash ${self.steps}`,
        close: () => void (self.closed = true),
      };
    },
  };
  return { maker, made };
}

/** A trainer whose rests run `orders[step]` once that many steps are done. */
function training(steps: number, orders: Record<number, Parameters<Trainer["take"]>[0]> = {}) {
  const news: News[] = [];
  const { maker, made } = countingMaker(steps);
  const count = () => news.filter((each) => each.type === "stepped").length;
  const trainer: Trainer = new Trainer(maker, {
    tell: (each) => void news.push(each),
    async rest() {
      const order = orders[count()];
      delete orders[count()];
      if (order) await trainer.take(order);
    },
    read: (source) =>
      "file" in source
        ? { size: source.file.size, bytes: async () => new Uint8Array(await source.file.arrayBuffer()) }
        : {
            size: null,
            bytes: () =>
              source.url === "gone" ? Promise.reject(new Error("gone")) : Promise.resolve(new Uint8Array(9)),
          },
    now: () => 0,
  });
  return { trainer, news, made, count, types: () => news.map((each) => each.type) };
}

function open(url: string, run: boolean): Extract<Order, { type: "open" }> {
  return { type: "open", source: { url }, name: url, options: {}, run };
}

test("a run trains to its last step, then stops", async () => {
  const { trainer, news, types, count } = training(60);
  await trainer.take(open("a", true));
  expect(count()).toBe(60);
  expect(types().filter((type) => type === "finished")).toHaveLength(1);
  expect(news.filter((each) => each.type === "running")).toEqual([
    { type: "running", running: true },
    { type: "running", running: false },
  ]);
});

test("the held-out loss is measured after the first step, now and then, and after the last", async () => {
  const { trainer, news } = training(60);
  await trainer.take(open("a", true));
  expect(news.flatMap((each) => (each.type === "evaluated" ? [each.step] : []))).toEqual([1, 25, 50, 60]);
});

test("a pause takes effect after the step under way", async () => {
  const { trainer, count } = training(60, { 5: { type: "pause" } });
  await trainer.take(open("a", true));
  expect(count()).toBe(5);
  await trainer.take({ type: "run" });
  expect(count()).toBe(60);
});

test("a step is one step, also while training runs", async () => {
  const { trainer, count, made } = training(60);
  await trainer.take(open("a", false));
  await trainer.take({ type: "step" });
  await trainer.take({ type: "step" });
  expect(count()).toBe(2);
  expect(made[0]?.steps).toBe(2);
});

test("no step goes beyond the last", async () => {
  const { trainer, count } = training(2);
  await trainer.take(open("a", true));
  await trainer.take({ type: "step" });
  await trainer.take({ type: "run" });
  expect(count()).toBe(2);
});

test("a reset begins anew and frees the old run", async () => {
  const { trainer, made, types } = training(60, { 5: { type: "reset" } });
  await trainer.take(open("a", true));
  expect(made.map((each) => each.closed)).toEqual([true, false]);
  expect(made[1]?.steps).toBe(0);
  expect(types().filter((type) => type === "opened")).toHaveLength(2);
});

test("a refused file leaves the run before it, which goes on", async () => {
  const bad = {
    type: "open",
    source: { file: new File([], "bad.txt") },
    name: "bad.txt",
    options: {},
    run: true,
  } as const;
  const { trainer, news, made, count } = training(60, { 5: bad });
  await trainer.take(open("a", true));
  expect(made).toHaveLength(1);
  expect(count()).toBe(60);
  expect(news).toContainEqual({ type: "refused", name: "bad.txt", diagnostics: refusal().diagnostics });
});

test("a file that is too large is refused before it is read", async () => {
  const { trainer, types } = training(60);
  const file = new File([new Uint8Array(2000)], "large.txt");
  file.arrayBuffer = () => Promise.reject(new Error("was read"));
  await trainer.take({ type: "open", source: { file }, name: "large.txt", options: {}, run: true });
  expect(types()).toEqual(["opening", "refused"]);
});

test("a text that cannot be fetched is told, and breaks nothing", async () => {
  const { trainer, types, count } = training(60);
  await trainer.take(open("gone", true));
  expect(types()).toEqual(["opening", "unreadable"]);
  await trainer.take(open("a", true));
  expect(count()).toBe(60);
});

test("of two texts chosen in haste the last is trained on", async () => {
  const { trainer, news } = training(3);
  await Promise.all([trainer.take(open("a", true)), trainer.take(open("b", true))]);
  expect(news.flatMap((each) => (each.type === "opened" ? [each.name] : []))).toEqual(["b"]);
});

test("a text that is not to be had is not told of once another is chosen", async () => {
  const { trainer, types } = training(3);
  await Promise.all([trainer.take(open("gone", true)), trainer.take(open("b", true))]);
  expect(types()).not.toContain("unreadable");
  expect(types()).toContain("opened");
});

test("a question is answered at once and again as training goes on", async () => {
  const { trainer, news } = training(30);
  await trainer.take(open("a", false));
  await trainer.take({ type: "ask", sentence: "a [MASK]" });
  await trainer.take({ type: "run" });
  expect(news.flatMap((each) => (each.type === "filled" ? [each.step] : []))).toEqual([0, 10, 20, 30]);
});

test("a question without a blank is told so, and training goes on", async () => {
  const { trainer, types, count } = training(30);
  await trainer.take(open("a", false));
  await trainer.take({ type: "ask", sentence: "nothing missing" });
  await trainer.take({ type: "run" });
  expect(types()).toContain("unfilled");
  expect(count()).toBe(30);
});

test("a run that memory cannot hold is refused before it is made, and the run before it goes on", async () => {
  const large = { ...open("b", true), options: { layers: 12, hidden: 768 } };
  const { trainer, news, made, count } = training(60, { 5: large });
  await trainer.take(open("a", true));
  expect(made).toHaveLength(1);
  expect(count()).toBe(60);
  expect(news.find((each) => each.type === "refused")?.diagnostics[0]?.number).toBe("X709");
});

test("a run that does not fit beside the one before it begins once that is freed", async () => {
  const large = { layers: 10, hidden: 512, heads: 8, batch: 8 };
  const { trainer, made } = training(3);
  await trainer.take({ ...open("a", true), options: large });
  await trainer.take({ ...open("b", true), options: large });
  expect(made.map((each) => each.freedBefore)).toEqual([0, 1]);
  await trainer.take(open("c", true));
  await trainer.take(open("d", true));
  expect(made.map((each) => each.freedBefore)).toEqual([0, 1, 1, 2]); // these fit beside what was there
});

test("a text that is refused after the run before it was freed has that run begin anew", async () => {
  const large = { layers: 10, hidden: 512, heads: 8, batch: 8 };
  const { trainer, news, made, count } = training(3);
  await trainer.take({ ...open("a", true), options: large });
  await trainer.take({
    type: "open",
    source: { file: new File([], "bad.txt") },
    name: "bad.txt",
    options: large,
    run: true,
  });
  expect(made.map((each) => each.closed)).toEqual([true, false]);
  expect(news.at(-1)?.type).toBe("refused");
  await trainer.take({ type: "run" });
  expect(count()).toBe(6);
});

test("nothing runs where there is nothing to run", async () => {
  const { trainer, types } = training(3);
  await trainer.take({ type: "run" });
  expect(types()).toEqual([]);
});
