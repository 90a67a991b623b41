import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { endpointStackNames } from '#shared/endpoints/lambda';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const policies = z.object({ DeletionPolicy: z.string().default('Delete') });
const waiting = z.object({ DependsOn: z.array(z.string()).default([]) });

describe('a failing first deployment', () => {
  it('leaves no bucket, secret or log group behind, only the table, which DynamoDB protects', () => {
    const left = stack.resources
      .filter((resource) => policies.parse(resource).DeletionPolicy === 'Retain')
      .map(({ path }) => path);

    expect(left).toEqual(['ServiceTable/Table']);
  });

  it("leaves a log group that doesn't block the next one", () => {
    const named = resourcesOfType(stack, 'AWS::Logs::LogGroup').filter(
      ({ Properties }) => Properties['LogGroupName'] !== undefined,
    );

    expect(named.map(({ path }) => path)).toEqual(['HttpApi/AccessLogs']);
    expect(JSON.stringify(named[0]?.Properties['LogGroupName'])).toContain('HttpApi');
  });
});

describe('the endpoint stacks', () => {
  const { Resources } = stack.templates.get('') ?? { Resources: {} };
  const sizeOf = (name: string) =>
    functionCatalogue.filter((declaration) => declaration.stack === name).length;
  const earlierThan = (name: string): readonly string[] => {
    const { DependsOn } = waiting.parse(Resources[name]);
    return endpointStackNames.filter((other) => DependsOn.includes(other));
  };
  const waveOf = (name: string): number =>
    Math.max(0, ...earlierThan(name).map((other) => waveOf(other) + 1));
  const waves = Map.groupBy(endpointStackNames, waveOf);

  it("create at most 40 integrations at once, API Gateway's limit", () => {
    const sizes = [...waves.values()].map((wave) =>
      wave.reduce((sum, name) => sum + sizeOf(name), 0),
    );

    expect(Math.max(...sizes)).toBeLessThanOrEqual(40);
  });

  it('are deployed in as few waves as that allows, each after all of the previous one', () => {
    const all = endpointStackNames.reduce((sum, name) => sum + sizeOf(name), 0);

    expect(waves.size).toBe(Math.ceil(all / 40));
    for (const name of endpointStackNames) {
      expect(earlierThan(name)).toEqual(waves.get(waveOf(name) - 1) ?? []);
    }
  });
});
