import { expect, it } from 'vitest';
import { cutText } from '#shared/errors/cut-text';

it.each([
  ['aé😀', 2, 'aé'],
  ['aé😀', 3, 'aé'],
  ['aé😀', 4, 'aé😀'],
  ['a', 9, 'a'],
])('cuts %j to %d without half a character', (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});
