import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deploymentConfig } from '../../infra/constructs/deployment-config.ts';
import { resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'infra/README.md'), 'utf8');
// With all that a deployment may have.
const stack = synthesiseStack({ sesTenants: true });

/** What the first column of the tables under a heading names in code. */
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

describe("the operator's README", () => {
  it('tells what to do about each alarm, and of no other', () => {
    const alarms = resourcesOfType(stack, 'AWS::CloudWatch::Alarm').map(({ path }) =>
      path.replace(/\/Alarm$/, ''),
    );

    const named = namedUnder('### Alarms');

    const isNamed = (path: string) => named.some((name) => `/${path}`.endsWith(`/${name}`));
    expect(alarms.filter((path) => !isNamed(path))).toEqual([]);
    expect(named).toHaveLength(alarms.length);
  });

  it('tells of each setting, and of no other', () => {
    const secrets = ['TokenSigningKey', 'CronSecret', 'OperatorSecret'];

    const named = namedUnder('## Configure');

    const settings = Object.keys(deploymentConfig.shape);
    expect(named.toSorted()).toEqual([...settings, ...secrets].toSorted());
  });

  it('tells of each output', () => {
    const { Outputs } = z
      .object({ Outputs: z.record(z.string(), z.unknown()) })
      .parse(stack.template.toJSON());

    expect(namedUnder('## Deploy').toSorted()).toEqual(Object.keys(Outputs).toSorted());
  });
});
