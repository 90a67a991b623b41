import { expect, it } from 'vitest';
import {
  addressWith,
  oneOf,
  openTrail,
} from '../../../../../functions/show-console/app/shared/paging.ts';

const path = '/console/emails';

it('writes the same address for the same view', () => {
  const one = addressWith(path, { to: 'ann+1@example.com', status: 'sent', from: '' });
  const other = addressWith(path, { status: 'sent', to: 'ann+1@example.com' });

  expect(one).toBe(other);
  expect(one).toBe(`${path}?status=sent&to=ann%2B1%40example.com`);
});

it('writes no question mark without a filter', () => {
  expect(addressWith(path, { to: undefined })).toBe(path);
});

it.each(['toString', 'SENT', '', undefined])('takes %s for none of the values', (text) => {
  expect(oneOf(['sent', 'failed'], text)).toBeUndefined();
});

it('leads to the older page and back, with the filters', () => {
  const trail = openTrail();

  const first = trail.links(path, { status: 'failed' }, 'c1');
  const second = trail.links(path, { status: 'failed', cursor: 'c1' }, 'c2');
  const third = trail.links(path, { status: 'failed', cursor: 'c2' }, null);

  expect(first).toEqual({
    newer: undefined,
    newest: undefined,
    older: `${path}?cursor=c1&status=failed`,
  });
  expect(second.newer).toBe(`${path}?status=failed`);
  expect(third).toEqual({
    newer: `${path}?cursor=c1&status=failed`,
    newest: `${path}?status=failed`,
    older: undefined,
  });
});

it('leads from a shared page to the first one, as nobody knows what came before', () => {
  const links = openTrail().links(path, { cursor: 'c7' }, null);

  expect(links).toEqual({ newer: undefined, newest: path, older: undefined });
});
