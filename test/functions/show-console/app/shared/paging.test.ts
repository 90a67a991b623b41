import { describe, expect, it } from 'vitest';
import {
  addressWith,
  createTrail,
  oneOf,
} from '../../../../../functions/show-console/app/shared/paging.ts';

const path = '/console/emails';

it('writes the same address for the same view', () => {
  const one = addressWith(path, { to: 'ann+1@example.com', status: 'sent', from: '' });
  const other = addressWith(path, { status: 'sent', to: 'ann+1@example.com' });

  expect(one).toBe(other);
  expect(one).toBe(`${path}?status=sent&to=ann%2B1%40example.com`);
});

it('writes no question mark without filters', () => {
  expect(addressWith(path, { to: undefined })).toBe(path);
});

it.each(['toString', 'SENT', '', undefined])('finds %s among no values', (text) => {
  expect(oneOf(['sent', 'failed'], text)).toBeUndefined();
});

it('links to the older page and back, keeping the filters', () => {
  const trail = createTrail();

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

it('links from a page opened by its address to the first one', () => {
  const links = createTrail().links(path, { cursor: 'c7' }, null);

  expect(links).toEqual({ newer: undefined, newest: path, older: undefined });
});

describe('a list of the last seven days', () => {
  const from = '2026-11-20T09:30:00.000Z';

  it('links to older pages by the start that was used, for which alone their cursors are valid', () => {
    const { older } = createTrail().links(path, { period: '7d', key: 'key_1' }, 'c1', { from });

    expect(older).toBe(`${path}?cursor=c1&from=2026-11-20T09%3A30%3A00.000Z&key=key_1`);
  });

  it('goes back to the first page with its period, from every page', () => {
    const trail = createTrail();
    trail.links(path, { period: '7d' }, 'c1', { from });
    const second = trail.links(path, { from, cursor: 'c1' }, 'c2', { from });
    const third = trail.links(path, { from, cursor: 'c2' }, null, { from });

    expect([second.newer, second.newest]).toEqual([`${path}?period=7d`, `${path}?period=7d`]);
    expect(third.newest).toBe(`${path}?period=7d`);
  });

  it('keeps its start where a page was opened by its address', () => {
    const links = createTrail().links(path, { from, cursor: 'c1' }, null, { from });

    expect(links.newest).toBe(`${path}?from=2026-11-20T09%3A30%3A00.000Z`);
  });
});
