import { describe, expect, it } from 'vitest';
import { endpointStackNames } from '#shared/endpoints/lambda';
import { defaultFunction } from '../../functions/endpoints.ts';
import { routes } from '../../functions/routes.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { synthesiseStack } from './synthesised-stack.ts';

/** Resources of a stack, and bytes of its template ("CloudFormation quotas"). */
const maxResources = 500;
const maxTemplateBytes = 1_048_576;
/** Routes of an HTTP API ("Quotas for HTTP APIs"). */
const maxRoutes = 300;

/** A role, a log group, the function, its integration, the API's permission; and one for each route. */
const resourcesOfEndpoint = 5 + 1;

const { templates } = synthesiseStack();

const resourcesIn = (stack: string): number =>
  Object.keys(templates.get(stack)?.Resources ?? {}).length;

describe.each(endpointStackNames)('the stack of endpoints %s', (stack) => {
  const functions = functionCatalogue.filter((declaration) => declaration.stack === stack);
  const names = new Set<string>(functions.map(({ name }) => name));
  const served = [...routes, { functionName: defaultFunction }].filter(({ functionName }) =>
    names.has(functionName),
  );

  it('has six resources per endpoint, plus one per additional route', () => {
    const furtherRoutes = served.length - functions.length;

    const resources = resourcesIn(stack);

    expect(resources).toBe(resourcesOfEndpoint * functions.length + furtherRoutes);
  });

  it('has room for 40 more endpoints', () => {
    const room = Math.floor((maxResources - resourcesIn(stack)) / resourcesOfEndpoint);

    expect(room).toBeGreaterThanOrEqual(40);
  });
});

describe("the service's own stack", () => {
  it('has no resource of an endpoint stack, and at least 60% of the resource limit left', () => {
    const ofEndpoints = Object.values(templates.get('')?.Resources ?? {}).filter(({ Metadata }) =>
      endpointStackNames.some((name) => Metadata['aws:cdk:path'].includes(`/Functions/${name}/`)),
    );

    expect(ofEndpoints).toEqual([]);
    expect(resourcesIn('')).toBeLessThanOrEqual((maxResources * 2) / 5);
  });

  it('has the functions of the send path and those with queues, topics, streams, events or schedules', () => {
    const own = functionCatalogue
      .filter(({ stack }) => stack === undefined)
      .map(({ name }) => name);

    expect(own.toSorted()).toEqual([
      'check-identities',
      'check-tenant',
      'count-usage',
      'create-upload',
      'deliver-webhooks',
      'forward-alarms',
      'index-contacts',
      'purge-organizations',
      'record-provider-event',
      'record-test-events',
      'retry-due-webhooks',
      'run-send-queue',
      'send-email',
      'send-email-batch',
      'send-global-email',
      'send-notices',
      'send-queued',
    ]);
  });
});

describe('the templates', () => {
  it.each([...templates.keys()])("%j is below half of CloudFormation's size limit", (stack) => {
    const text = JSON.stringify(templates.get(stack), null, 1);

    expect(Buffer.byteLength(text)).toBeLessThan(maxTemplateBytes / 2);
  });

  // AWS raises this quota on request.
  it('leave room for 100 more routes on the HTTP API', () => {
    expect(routes.length).toBeLessThanOrEqual(maxRoutes - 100);
  });
});
