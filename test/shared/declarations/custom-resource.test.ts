import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { customResource } from '#shared/declarations/custom-resource';
import { ServiceError } from '#shared/errors/service-error';
import { type LocalServer, listen, readBody } from '../../../infra/local/server.ts';
import { captureOutput } from '../../support/captured-output.ts';

let answers: unknown[] = [];
let types: unknown[] = [];
let statuses: number[] = [];
let server: LocalServer & { readonly url: string };

beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      types.push(request.headers['content-type']);
      answers.push(JSON.parse(`${await readBody(request)}`));
      response.writeHead(statuses.shift() ?? 200).end();
    }),
    0,
  );
});
afterAll(() => server.stop());
beforeEach(() => {
  [answers, types, statuses] = [[], [], []];
});

const request = (fields: object = {}) => ({
  RequestType: 'Create',
  RequestId: 'request',
  StackId: 'stack',
  LogicalResourceId: 'Shop',
  ResourceType: 'Custom::EmailOrganization',
  ResponseURL: `${server.url}/?signature=secret`,
  ResourceProperties: {},
  ...fields,
});
const context = { awsRequestId: 'invocation' };
const known = { RequestId: 'request', StackId: 'stack', LogicalResourceId: 'Shop' };
const failing = (error: unknown) =>
  customResource({
    idOf: ({ PhysicalResourceId = 'none' }) => PhysicalResourceId,
    run: async () => {
      throw error;
    },
  });

describe('customResource', () => {
  it('answers where CloudFormation waits, in bytes without a type, and logs no address of it', async () => {
    const output = captureOutput();
    const handler = customResource({
      idOf: () => 'none',
      run: async () => ({ physicalId: 'org_a', data: { ApiKeyId: 'key_a' } }),
    });

    await handler(request(), context);

    expect(answers).toEqual([
      { ...known, Status: 'SUCCESS', PhysicalResourceId: 'org_a', Data: { ApiKeyId: 'key_a' } },
    ]);
    expect(types).toEqual([undefined]);
    expect(output.text()).not.toContain('signature');
  });

  it.each([
    {
      what: 'a refusal with its reason',
      error: new ServiceError('domain_taken', 'It is taken.'),
      reason: 'It is taken.',
    },
    {
      what: 'a fault with where to look, and nothing else of it',
      error: new Error('ann@example.com'),
      reason: 'Something went wrong. The log of the function has it, by the request id invocation.',
    },
  ])('answers $what', async ({ error, reason }) => {
    captureOutput();

    await failing(error)(request({ PhysicalResourceId: 'org_b' }), context);

    expect(answers).toEqual([
      { ...known, Status: 'FAILED', PhysicalResourceId: 'org_b', Reason: reason },
    ]);
  });

  it('answers again when the answer is lost', async () => {
    captureOutput();
    statuses = [503];

    await failing(new ServiceError('concurrent_change'))(request(), context);

    expect(answers).toHaveLength(2);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('fails, and is repeated by Lambda, if no answer arrives', async () => {
    captureOutput();
    const handler = customResource(
      { idOf: () => 'none', run: async () => ({ physicalId: 'org_a' }) },
      async () => {
        throw new Error('unreachable');
      },
    );

    await expect(handler(request(), context)).rejects.toThrow('unreachable');
  });
});
