import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { groups } from '../../infra/manage/program.ts';
import { serviceVersion } from '../../infra/version.ts';
import manifest from '../../package.json' with { type: 'json' };
import { fakeAccount, outputsXml } from '../support/aws-account-builder.ts';
import { manage } from '../support/manage-builder.ts';
import { soundStack } from '../support/stack-replies.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'functions/show-docs/guides/pipeline.md'), 'utf8');

const stepShape = z.object({
  run: z.string().optional(),
  if: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  with: z.object({ 'role-to-assume': z.string().optional() }).default({}),
});
const workflowShape = z.object({
  env: z.object({ STACK: z.string() }),
  jobs: z.record(
    z.string(),
    z.object({ environment: z.string().optional(), steps: z.array(stepShape) }),
  ),
});
const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
const { jobs, env } = workflowShape.parse(parseYaml(yaml));
const steps = Object.values(jobs).flatMap((job) => job.steps);

it('the CI workflow is valid YAML and runs only existing commands', () => {
  const commands = steps.map(({ run = '' }) => run);

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

it("the CI workflow gives pull requests a role that can't deploy", () => {
  const [diff = [], deploy = []] = [jobs['diff'], jobs['deploy']].map((job) =>
    job?.steps.flatMap(({ with: { 'role-to-assume': role } }) => role?.match(/\w+_ROLE/) ?? []),
  );

  expect(diff).toEqual(['EMAIL_DIFF_ROLE']);
  expect(deploy).toEqual(['EMAIL_ROLE']);
  // Otherwise `cdk diff` takes the deploy role, for a change set.
  expect(jobs['diff']?.steps.at(-1)?.run).toBe('npx cdk diff --method template');
  // GitHub's token then names it, and the deploy role trusts nothing else.
  expect(guide).toContain(`repo:OWNER/REPO:environment:${jobs['deploy']?.environment}`);
});

/** The service, asked with a key that may only send. */
const fetchAsSender: typeof fetch = async (input) => {
  if (String(input).endsWith('/llms.txt')) {
    return new Response('', { headers: { 'x-service-version': serviceVersion } });
  }
  const problem = { code: 'missing_scope', detail: 'The key needs manage_organization.' };
  return Response.json(problem, { status: 403 });
};

it("the CI workflow's doctor step passes on a healthy deployment", async () => {
  const doctor = steps.find(({ run }) => run?.includes('manage -- doctor'));
  const [, words = ''] = doctor?.run?.replace('"$STACK"', env.STACK).split(' -- ') ?? [];
  const BaseUrl = 'https://abc.example';
  const { account } = fakeAccount({
    ...soundStack,
    DescribeStacks: { body: outputsXml({ BaseUrl }) },
  });

  const { exitCode, output } = await manage(words, {
    environment: Object.fromEntries(Object.keys(doctor?.env ?? {}).map((name) => [name, 'esk_1'])),
    openAwsAccount: async () => account,
    fetch: fetchAsSender,
  });

  expect(output).toContain('✓ alarms: none of 1 is firing');
  expect(output).toContain('? organization: ');
  expect(exitCode).toBe(0);
});
