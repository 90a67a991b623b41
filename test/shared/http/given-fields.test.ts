import { expect, it } from 'vitest';
import { repeats } from '#shared/http/given-fields';

it('a name is found to be given twice among any number of names', () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `name-${index}`);

  expect([...names, 'name-7'].findIndex(repeats())).toBe(names.length);
  expect(names.some(repeats())).toBe(false);
});
