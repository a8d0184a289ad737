import { expect, test } from "vitest";
import { categoryOf, stepFrom } from "./timeline";

const event = (lane: number, begin: number, seconds: number, category = "forward") => ({
  lane,
  name: category,
  category,
  begin,
  seconds,
  step: 0,
});

const events = [
  event(0, 0, 2, "read"),
  event(0, 2, 3, "wait"),
  event(2, 0, 1, "wait"),
  event(2, 1, 4),
  event(2, 5, 1, "collective"),
];

test("what is neither of the hosts nor a collective nor waiting is compute", () => {
  expect(
    ["forward", "backward", "update", "recompute", "collective", "transfer", "prepare", "wait"].map(categoryOf),
  ).toEqual(["compute", "compute", "compute", "compute", "collective", "infeed", "host", "idle"]);
});

test("arrow keys go along a lane and stop at its ends", () => {
  expect(stepFrom(events, null, "ArrowRight")).toBe(0);
  expect(stepFrom(events, 0, "ArrowRight")).toBe(1);
  expect(stepFrom(events, 1, "ArrowRight")).toBe(1);
  expect(stepFrom(events, 2, "ArrowLeft")).toBe(2);
  expect(stepFrom(events, 3, "Home")).toBe(0);
  expect(stepFrom(events, 0, "End")).toBe(4);
});

test("up and down lead to what the next lane does at the same time", () => {
  expect(stepFrom(events, 1, "ArrowDown")).toBe(3);
  expect(stepFrom(events, 4, "ArrowUp")).toBe(1);
  expect(stepFrom(events, 0, "ArrowUp")).toBe(0);
  expect(stepFrom(events, 4, "ArrowDown")).toBe(4);
});

test("other keys, and no events, lead nowhere", () => {
  expect(stepFrom(events, 1, "Tab")).toBeNull();
  expect(stepFrom([], null, "ArrowRight")).toBeNull();
});
