import { expect, test } from "vitest";
import { formulaOf, groupOf, lostInF32, powerOfTwo, pressed, signed } from "./bits";

test("a bit is turned over and the others stay", () => {
  expect(pressed("0011", 0)).toBe("1011");
  expect(pressed("0011", 3)).toBe("0010");
});

test("the first bit is the sign, eight follow of the exponent", () => {
  expect([0, 1, 8, 9, 15, 31].map(groupOf)).toEqual([
    "sign",
    "exponent",
    "exponent",
    "fraction",
    "fraction",
    "fraction",
  ]);
});

test("numbers are written with raised exponents and a true minus", () => {
  expect(powerOfTwo(-126)).toBe("2⁻¹²⁶");
  expect(signed("-1.5e-40")).toBe("−1.5 × 10⁻⁴⁰");
  expect(signed("0.1")).toBe("0.1");
  expect(signed("-inf")).toBe("−∞");
  expect(signed("nan")).toBe("NaN");
});

test("a formula says what the bits come to, for those that come to something", () => {
  const written = { bits: "1011111100010000", text: "-0.5625", value: -0.5625, exponent: -1, fraction: 0.125 };
  expect(formulaOf({ ...written, kind: "normal" }, "en")).toBe("−(1 + 0.125) × 2⁻¹");
  expect(formulaOf({ ...written, bits: "0", exponent: -126, kind: "subnormal" }, "en")).toBe("0.125 × 2⁻¹²⁶");
  expect(formulaOf({ ...written, kind: "nan" }, "en")).toBe("");
});

test("a number that f32 does not have is told apart from zero and infinity", () => {
  expect(["1e-46", "-1e-50", "0.000e5", "-0", "１e-50"].map((text) => lostInF32(text, "zero"))).toEqual([
    "tooSmall",
    "tooSmall",
    null,
    null,
    "tooSmall",
  ]);
  expect(["1e999", "-inf", "Infinity"].map((text) => lostInF32(text, "infinity"))).toEqual(["tooLarge", null, null]);
  expect(["0.1", "16777217", "1.00000001"].map((text) => lostInF32(text, "normal"))).toEqual(Array(3).fill("rounded"));
  expect(["0.5", "16777216", "-3"].map((text) => lostInF32(text, "normal"))).toEqual(Array(3).fill(null));
});
