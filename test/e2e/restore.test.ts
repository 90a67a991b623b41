import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  BatchWriteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTable } from '../../infra/local/dynamodb/table.ts';
import { ownDatabase } from '../support/own-database.ts';
import { codeBlocks } from '../support/readme-session.ts';
import { testTable } from '../support/test-table.ts';

const guide = 'functions/show-docs/guides/restore.md';
const item = (pk: string, status: string) => ({
  ...{ pk: { S: pk }, sk: { S: 'SEND' }, status: { S: status } },
});

/** Two tables, and the guide's program in a checkout. */
async function openRestore() {
  const { environment, url } = ownDatabase();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const client = new DynamoDBClient();
  const tables = ['restored', 'live'] as const;
  await Promise.all(tables.map((name) => createTable(url, name, testTable())));
  const checkout = mkdtempSync(join(tmpdir(), 'restore-'));
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  const program = codeBlocks(readFileSync(guide, 'utf8')).find(({ file }) => file !== undefined);
  writeFileSync(join(checkout, program?.file ?? ''), program?.text ?? '');
  onTestFinished(async () => {
    for (const TableName of tables) await client.send(new DeleteTableCommand({ TableName }));
    client.destroy();
    rmSync(checkout, { recursive: true });
  });
  return {
    put: (table: (typeof tables)[number], items: readonly ReturnType<typeof item>[]) =>
      client.send(
        new BatchWriteItemCommand({
          RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) },
        }),
      ),
    restore: async (...prefix: readonly string[]) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program?.file ?? '', 'restored', 'live', ...prefix],
        { cwd: checkout },
      );
      return stdout.trim();
    },
    live: async () => {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 'live' }));
      return Items.map(({ pk, status }) => `${pk?.S} ${status?.S}`).toSorted();
    },
  };
}

it('the restore guide brings back missing items and keeps newer ones', async () => {
  const { put, restore, live } = await openRestore();
  await put('restored', [
    item('ORG#a#SEND#1', 'sending'),
    item('ORG#a#SEND#2', 'sent'),
    item('ORG#b#SEND#3', 'sent'),
  ]);
  await put('live', [item('ORG#a#SEND#1', 'sent'), item('ORG#a#SEND#4', 'sent')]);

  expect(await restore('ORG#a')).toBe('1 items restored');
  expect(await live()).toEqual(['ORG#a#SEND#1 sent', 'ORG#a#SEND#2 sent', 'ORG#a#SEND#4 sent']);
  expect(await restore()).toBe('1 items restored');
  expect(await restore()).toBe('0 items restored');
  expect(await live()).toContain('ORG#b#SEND#3 sent');
});
