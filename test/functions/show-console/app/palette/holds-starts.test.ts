import { expect, it } from 'vitest';
import { holdsStarts } from '../../../../../functions/show-console/app/palette/holds-starts.ts';

it.each([
  ['Create an API key…', 'key', true],
  ['Create an API key…', 'cr ke', true],
  ['Create an API key…', 'ey', false],
  ['Create an API key…', 'key webhook', false],
  ['Settings: Footer and unsubscribe page', 'UNSUB', true],
  ['Docs', '', true],
])('of “%s”, “%s” begins its words: %s', (text, typed, isSo) => {
  expect(holdsStarts(text, typed)).toBe(isSo);
});
