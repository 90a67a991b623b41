import { expect, it } from 'vitest';
import { typicalEmail, typicalSender } from './sends.ts';

it('is of the size that the targets are meant for', () => {
  const lengths = [typicalEmail.subject, typicalEmail.to, typicalSender].map(
    ({ length }) => length,
  );

  expect(lengths).toEqual([60, 30, 30]);
});
