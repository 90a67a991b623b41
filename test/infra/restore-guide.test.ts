import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { synthesiseStack } from './synthesised-stack.ts';

const mappingShape = z.record(z.string(), z.record(z.string(), z.string()));
const staying = z.looseObject({ DeletionPolicy: z.enum(['Retain', 'RetainExceptOnCreate']) });

const guide = readFileSync('functions/show-docs/guides/restore.md', 'utf8');

it('the restore guide imports everything that `cdk destroy` leaves behind, except logs', () => {
  const [, mapping = ''] = /--resource-mapping-inline '(.+)'/.exec(guide) ?? [];

  const left = synthesiseStack()
    .resources.filter((resource) => staying.safeParse(resource).success)
    .filter(({ Type }) => Type !== 'AWS::Logs::LogGroup')
    .map(({ logicalId }) => logicalId);

  expect(Object.keys(mappingShape.parse(JSON.parse(mapping))).toSorted()).toEqual(left.toSorted());
});

/** Runs the guide's second step. AWS gives these answers in turn, the last one from then on. */
async function waitForTable(answers: readonly string[]) {
  const [, command = ''] = /`(while [^`]+)`/.exec(guide) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'restore-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, 'calls');
  const program = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder, name), ['#!/bin/sh', ...lines].join('\n'), { mode: 0o755 });
  program('sleep', []);
  program('aws', [
    `echo "$*" >> '${calls}'`,
    `case $(grep -c '' '${calls}') in`,
    ...answers.map(
      (answer, index) => `${index + 1 < answers.length ? index + 1 : '*'}) ${answer};;`,
    ),
    'esac',
  ]);
  const PATH = [folder, process.env['PATH']].join(delimiter);
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { env: { PATH } });
  return { stdout, stderr, count: readFileSync(calls, 'utf8').split('\n').length - 1 };
}

it('the restore guide waits for the table no matter how long the restore takes', async () => {
  const answers = [...Array.from({ length: 90 }, () => 'echo CREATING'), 'echo ACTIVE'];

  expect(await waitForTable(answers)).toMatchObject({ count: 91, stderr: '' });
});

it('the restore guide stops waiting when AWS reports an error', async () => {
  const answers = ['echo CREATING', 'echo AccessDeniedException >&2; exit 254'];

  const { count, stderr } = await waitForTable(answers);

  expect(count).toBe(2);
  expect(stderr).toContain('AccessDeniedException');
});
