import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { countAtHost } from '#shared/webhook-deliveries/host-window-store';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const newHost = () => `${randomUUID()}.example.com`;
const span = 175_000_000;

it('gives out no more attempts than fit, even to concurrent processes', async () => {
  const host = newHost();

  const taken = await Promise.all(
    Array.from({ length: 9 }, () => countAtHost(table, host, span, 100, 350)),
  );

  expect(taken.filter(Boolean)).toHaveLength(3);
});

it('counts each host and period separately', async () => {
  const host = newHost();
  await countAtHost(table, host, span, 100, 100);

  expect(await countAtHost(table, host, span, 100, 100)).toBe(false);
  expect(await countAtHost(table, host, span + 1, 100, 100)).toBe(true);
  expect(await countAtHost(table, newHost(), span, 100, 100)).toBe(true);
});
