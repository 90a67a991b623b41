import { expect, it } from 'vitest';
import { createConnectionLimit } from '../../../infra/smtp/connection-limit.ts';

it('accepts up to the limit per client, independent of other clients', () => {
  const limit = createConnectionLimit(2);

  const entered = ['a', 'b', 'c'].map((connection) => limit.enter(connection, '192.0.2.1'));

  expect(entered).toEqual([true, true, false]);
  expect(limit.enter('d', '192.0.2.2')).toBe(true);
});

it('frees one slot per leaving connection, even if it leaves twice or never entered', () => {
  const limit = createConnectionLimit(1);
  limit.enter('a', '192.0.2.1');

  for (const connection of ['refused', 'a', 'a']) limit.leave(connection);

  expect(limit.enter('b', '192.0.2.1')).toBe(true);
  expect(limit.enter('c', '192.0.2.1')).toBe(false);
});

it('counts a connection once, no matter how often it authenticates', () => {
  const limit = createConnectionLimit(2);

  const entered = ['a', 'a', 'a', 'b'].map((connection) => limit.enter(connection, 'esk_1'));

  expect(entered).toEqual([true, true, true, true]);
});
