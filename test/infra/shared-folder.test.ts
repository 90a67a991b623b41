import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { beginMaking, endMaking, isBeingMade } from '../../infra/constructs/shared-folder.ts';

function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'shared-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  return join(parent, 'folder');
}

it('is made by one, who is waited for', () => {
  const folder = newFolder();

  expect([beginMaking(folder), beginMaking(folder)]).toEqual([true, false]);
  expect(isBeingMade(folder)).toBe(true);
});

it('is begun by the next one when it could not be made', () => {
  const folder = newFolder();
  beginMaking(folder);

  endMaking(folder);

  expect(isBeingMade(folder)).toBe(false);
  expect(beginMaking(folder)).toBe(true);
});

it('is not waited for when its maker has died', () => {
  const folder = newFolder();
  const { pid } = spawnSync(process.execPath, ['--eval', '']);
  symlinkSync(String(pid), `${folder}.maker`);

  expect(beginMaking(folder)).toBe(false);
  expect(isBeingMade(folder)).toBe(false);
});
