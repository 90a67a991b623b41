import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { groups } from '../../infra/manage/program.ts';
import manifest from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'functions/show-docs/guides/pipeline.md'), 'utf8');

const workflowShape = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(z.object({ run: z.string().optional(), if: z.string().optional() })),
    }),
  ),
});

it("the pipeline's workflow is YAML, and runs commands that there are", () => {
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  const { jobs } = workflowShape.parse(parseYaml(yaml));

  const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));

  const named = (pattern: RegExp) =>
    commands.flatMap((run) =>
      run
        .matchAll(pattern)
        .toArray()
        .map(([, name = '']) => name),
    );
  expect(named(/npm run (?:-s )?(\S+)/g).filter((name) => !(name in manifest.scripts))).toEqual([]);
  expect(
    named(/npx (\S+)/g).filter((name) => !existsSync(join(root, 'node_modules/.bin', name))),
  ).toEqual([]);
  const manageGroups = groups.map(({ name }) => name);
  expect(manageGroups).toEqual(expect.arrayContaining(named(/manage -- (\S+)/g)));
  expect(commands.filter((run) => run.includes('cdk deploy'))).toHaveLength(2);
});
