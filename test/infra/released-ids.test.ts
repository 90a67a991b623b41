import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { resourceAt, synthesiseStack, synthesiseWithSettings } from './synthesised-stack.ts';

/** What holds data or has an address, and what CloudFormation can't have twice: a route. */
const frozenTypes = [
  'ApiGatewayV2::Api',
  'ApiGatewayV2::Route',
  'CloudFormation::Stack',
  'DynamoDB::Table',
  'KMS::Key',
  'Lambda::Function',
  'S3::Bucket',
  'SES::ConfigurationSet',
  'SES::ConfigurationSetEventDestination',
  'SNS::Topic',
  'SQS::Queue',
  'SecretsManager::Secret',
].map((type) => `AWS::${type}`);

const throttle = '. throttle of';

const file = join(import.meta.dirname, 'released-ids.txt');

/** Of the service with any settings: the stack that it is in ('.' is the service's own), its type, its logical id. */
function idsNow(): string[] {
  const ids = [synthesiseStack(), synthesiseWithSettings()].flatMap(({ templates }) =>
    [...templates].flatMap(([stack, { Resources }]) =>
      Object.entries(Resources)
        .filter(([, { Type }]) => frozenTypes.includes(Type))
        .map(([id, { Type }]) => `${stack || '.'} ${Type.slice('AWS::'.length)} ${id}`),
    ),
  );
  return [...new Set([...ids, ...throttlesNow()])].toSorted();
}

const routeSettings = z.record(z.string(), z.unknown());

/** The routes with a throttle of their own. */
function throttlesNow(): string[] {
  const { Properties } = resourceAt(synthesiseStack(), 'HttpApi/DefaultStage');
  return Object.keys(routeSettings.parse(Properties['RouteSettings'])).map(
    (route) => `${throttle} ${route}`,
  );
}

const whatToDo = `
CloudFormation knows a resource by its stack and logical id. With others, an update makes a second one and leaves
the first: an empty table, new secrets and no SES events for who has deployed the last release; and a route that
moves fails the update, as the API has it already. Keep the construct's path (or overrideLogicalId).
If the resource is gone for good, take its line out of test/infra/released-ids.txt, and say in the CHANGELOG what an
operator does with the one that stays.`;

const whyThrottlesStay = `
The stage keeps the throttle of a route that is taken out of its RouteSettings (UpdateStage adds and changes, and removes
nothing). Without the route, every later update of the stage fails: "Unable to find Route by key … within the provided
RouteSettings" (aws/serverless-application-model#1939, serverless/serverless#12776). So keep the route, and its throttle: a
route that is gone for good answers 410. If it must go, say in the CHANGELOG that an operator deletes its throttle before the
deployment: aws apigatewayv2 delete-route-settings --api-id … --stage-name '$default' --route-key 'GET /…'`;

describe('an update from the last release', () => {
  it('keeps the logical id of every stateful resource', () => {
    const now = new Set(idsNow());
    const released = readFileSync(file, 'utf8').trim().split('\n');

    const missing = released.filter((id) => !now.has(id) && !id.startsWith(throttle));

    expect(missing, whatToDo).toEqual([]);
  });

  it('keeps every individually throttled route and its throttle', () => {
    const now = new Set(throttlesNow());
    const released = readFileSync(file, 'utf8').trim().split('\n');

    const missing = released.filter((id) => id.startsWith(throttle) && !now.has(id));

    expect(missing, whyThrottlesStay).toEqual([]);
  });
});

// A release freezes what it adds: FREEZE_IDS=1 npx vitest run released-ids released-operations
it.runIf(process.env['FREEZE_IDS'])('freezes the ids', () => {
  writeFileSync(file, `${idsNow().join('\n')}\n`);
});
