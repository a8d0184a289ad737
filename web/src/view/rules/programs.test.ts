import { expect, test } from "vitest";
import { exampleNames, examples, known } from "./programs";
import { marksWith, placeOf } from "../marks";
import { readList } from "./policy";

test("every example has two sides that differ in one line alone", () => {
  for (const name of exampleNames) {
    const wrong = examples[name].wrong.split("\n");
    const right = examples[name].right.split("\n");
    expect(right.length, name).toBe(wrong.length);
    expect(right.filter((line, at) => line !== wrong[at]).length, name).toBe(1);
  }
});

test("a text is known as an example's wrong or right side, and no other", () => {
  expect(known(examples.loss.wrong)).toEqual({ name: "loss", side: "wrong" });
  expect(known(examples.loss.right)).toEqual({ name: "loss", side: "right" });
  expect(known(`${examples.loss.right}\n`)).toBeNull();
});

test("a list of lengths is read from what people write", () => {
  expect(readList("64, 32;128")).toEqual([32, 64, 128]);
  expect(readList("64 64")).toEqual([64]);
  expect(readList("３２、６４")).toEqual([32, 64]);
  for (const wrong of ["-5, 7", "1e9", "abc", "0", "", " , ", "1.5", "99999", "64, 0"])
    expect(readList(wrong), wrong).toBeNull();
  expect(readList("오십")).toBeNull();
  expect(readList(Array.from({ length: 16 }, (_, at) => at + 1).join())).toHaveLength(16);
  expect(readList(Array.from({ length: 17 }, (_, at) => at + 1).join())).toBeNull();
});

test("a slider's marks rise, with the measured value among them, and the nearest is found by ratio", () => {
  expect(marksWith([1, 2, 5], 3)).toEqual([1, 2, 3, 5]);
  expect(marksWith([1, 2, 5], 2)).toEqual([1, 2, 5]);
  expect(placeOf([0.01, 1, 100], 9, "ratio")).toBe(1);
  expect(placeOf([0.01, 1, 100], 11, "ratio")).toBe(2);
});
