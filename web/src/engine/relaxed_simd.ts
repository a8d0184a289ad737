// Whether this browser has WebAssembly's relaxed SIMD.

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const types = [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b]; // one: () -> v128
const functions = [0x03, 0x02, 0x01, 0x00];
const ones = [0x41, 0x01, 0xfd, 0x0f]; // i32.const 1, i8x16.splat
const code = [0x00, ...ones, ...ones, ...ones, 0xfd, 0x85, 0x02, 0x0b]; // f32x4.relaxed_madd

export function relaxedSimd(): boolean {
  const section = [0x0a, code.length + 2, 0x01, code.length, ...code];
  return WebAssembly.validate(new Uint8Array([...header, ...types, ...functions, ...section]));
}
