import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { endpointStackNames } from '#shared/endpoints/lambda';
import {
  deploymentSettings,
  serviceSettings,
  settingWords,
} from '../../infra/settings/declaration.ts';
import { checkSettings } from '../../infra/settings/settings.ts';
import { resourcesOfType, synthesiseStack, synthesiseWithSettings } from './synthesised-stack.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'infra/README.md'), 'utf8');
const byDefault = synthesiseStack();
// With every optional feature.
const stack = synthesiseWithSettings();

/** The code spans in the first column of the tables under a heading. */
function namedUnder(heading: string): string[] {
  const [, ...lines] = readme.slice(readme.indexOf(`\n${heading}\n`) + 1).split('\n');
  const end = lines.findIndex((line) => /^##/.test(line));
  return lines
    .slice(0, end)
    .flatMap(
      (line) =>
        /^\|([^|]+)\|/
          .exec(line)?.[1]
          ?.matchAll(/`([^`]+)`/g)
          .toArray() ?? [],
    )
    .map(([, name = '']) => name);
}

/** A default, as in the table of settings. */
function shown(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'number' ? String(value) : `\`${value}\``;
}

describe("the operator's README", () => {
  it('prices the alarms of an idle month correctly', () => {
    const metrics = resourcesOfType(byDefault, 'AWS::CloudWatch::Alarm').map(
      ({ Properties: { Metrics } }) =>
        Array.isArray(Metrics) ? Metrics.filter((one) => 'MetricStat' in one).length : 1,
    );
    const on = (count: number) => metrics.filter((one) => one === count).length;
    const dollars = (metrics.reduce((one, other) => one + other) * 0.1).toFixed(2);

    expect(on(1) + on(2) + on(3) + on(4)).toBe(metrics.length);
    expect(readme).toContain(
      `| ${on(1)} on one metric, ${on(2)} on two, ${on(3)} on three, ${on(4)} on four, at 0.10 a metric | ${dollars} |`,
    );
  });

  it('states how many IAM roles a deployment has', () => {
    const roles = resourcesOfType(byDefault, 'AWS::IAM::Role').length;

    expect(readme).toMatch(new RegExp(`1,000 IAM roles a deployment has ${roles}\\.`));
  });

  it('lists exactly the stacks that exist', () => {
    expect(namedUnder('### The stacks')).toEqual([
      'EmailService',
      ...endpointStackNames,
      'CustomDomains',
    ]);
  });

  it('describes each setting as it is declared', () => {
    const declared = { ...deploymentSettings.shape, ...serviceSettings.shape };

    const rows = Object.entries(declared).map(([name, schema]) => {
      const words = settingWords.get(schema);
      const standard = words?.default ?? shown(schema.parse(undefined));
      return `| \`${name}\` | ${standard} | ${words?.meaning} |`;
    });

    const [, table = ''] = readme.split('| Setting | Default | Meaning |\n|---|---|---|\n');
    expect(table.split('\n\n')[0]?.split('\n')).toEqual(rows);
  });

  it('shows only stage files that synthesise', () => {
    const examples = readme
      .matchAll(/^```json\n(\{\n {2}"[\s\S]*?^\})\n```$/gm)
      .map(([, json = '']) => json);

    for (const example of examples) expect(() => checkSettings(JSON.parse(example))).not.toThrow();
    expect([...readme.matchAll(/^```json$/gm)].length).toBeGreaterThan(1);
  });

  it('lists exactly the outputs of the stack', () => {
    const { Outputs } = z
      .object({ Outputs: z.record(z.string(), z.unknown()) })
      .parse(stack.template.toJSON());

    expect(namedUnder('## Deploy').toSorted()).toEqual(Object.keys(Outputs).toSorted());
  });
});
