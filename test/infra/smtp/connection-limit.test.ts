import { expect, it } from 'vitest';
import { openCrowd } from '../../../infra/smtp/crowd.ts';

it('accepts up to the limit per client, independent of other clients', () => {
  const crowd = openCrowd(2);

  const entered = ['a', 'b', 'c'].map((connection) => crowd.enter(connection, '192.0.2.1'));

  expect(entered).toEqual([true, true, false]);
  expect(crowd.enter('d', '192.0.2.2')).toBe(true);
});

it('frees one slot per leaving connection, even if it leaves twice or never entered', () => {
  const crowd = openCrowd(1);
  crowd.enter('a', '192.0.2.1');

  for (const connection of ['refused', 'a', 'a']) crowd.leave(connection);

  expect(crowd.enter('b', '192.0.2.1')).toBe(true);
  expect(crowd.enter('c', '192.0.2.1')).toBe(false);
});

it('counts a connection once, no matter how often it authenticates', () => {
  const crowd = openCrowd(2);

  const entered = ['a', 'a', 'a', 'b'].map((connection) => crowd.enter(connection, 'esk_1'));

  expect(entered).toEqual([true, true, true, true]);
});
