import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { synthesiseStack } from './synthesised-stack.ts';

const mappingShape = z.record(z.string(), z.record(z.string(), z.string()));
const staying = z.looseObject({ DeletionPolicy: z.literal('Retain') });

it('the restore guide takes in all that `cdk destroy` leaves, but for logs', () => {
  const guide = readFileSync('functions/show-docs/guides/restore.md', 'utf8');
  const [, mapping = ''] = /--resource-mapping-inline '(.+)'/.exec(guide) ?? [];

  const left = synthesiseStack()
    .resources.filter((resource) => staying.safeParse(resource).success)
    .filter(({ Type }) => Type !== 'AWS::Logs::LogGroup')
    .map(({ logicalId }) => logicalId);

  expect(Object.keys(mappingShape.parse(JSON.parse(mapping))).toSorted()).toEqual(left.toSorted());
});
