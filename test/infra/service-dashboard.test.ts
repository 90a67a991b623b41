import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sendFunctions } from '../../infra/constructs/function-catalogue.ts';
import { asText } from './resolve-intrinsics.ts';
import { functionPath, resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const { Properties } = resourceAt(stack, 'Overview/Dashboard');

const bodyShape = z.object({
  widgets: z.array(
    z.object({ type: z.string(), properties: z.looseObject({ title: z.string() }) }),
  ),
});

/** The dashboard as CloudWatch gets it, with the logical id in place of each reference. */
function dashboard() {
  const { 'Fn::Join': joined } = z
    .object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) })
    .parse(Properties['DashboardBody']);
  const text = joined[1]
    .map((part) => (typeof part === 'string' ? part : Object.values(z.looseObject({}).parse(part))))
    .join('');
  return { text, ...bodyShape.parse(JSON.parse(text)) };
}

describe('the dashboard', () => {
  it("is named after its stack and Region, so two deployments don't share one", () => {
    expect(asText(stack, Properties['DashboardName'])).toBe('EmailService-{AWS::Region}');
  });

  it('shows metrics of its own deployment only', () => {
    const services = [...dashboard().text.matchAll(/service=\\?"(\w+)/g)].map(([, name]) => name);

    expect(services.length).toBeGreaterThan(0);
    expect(new Set(services)).toEqual(new Set(['EmailService']));
  });

  it('queries the logs of every sending function for refusals', () => {
    const { widgets } = dashboard();

    const refusals = widgets.find(({ properties }) => properties.title.startsWith('Refused'));

    for (const name of sendFunctions) {
      const { logicalId } = resourceAt(stack, functionPath(name, 'Logs'));
      expect(refusals?.properties['query']).toContain(`SOURCE '${logicalId}'`);
    }
  });

  it('queries the logs of every sending function for throttled sends', () => {
    const { widgets } = dashboard();

    const throttled = widgets.find(({ properties }) => properties.title.includes('SES throttled'));

    const query = String(throttled?.properties['query']);
    expect(query).toContain('filter ispresent(SendThrottled)');
    for (const name of [...sendFunctions, 'send-queued', 'run-send-queue']) {
      const { logicalId } = resourceAt(stack, functionPath(name, 'Logs'));
      expect(query).toContain(`SOURCE '${logicalId}'`);
    }
  });

  it('counts failed events like their alarm does, including hidden ones', () => {
    const { widgets } = dashboard();

    const waiting = widgets.find(({ properties }) => properties.title === 'Waiting messages');

    const queue = resourceAt(stack, 'ProviderEventPipeline/RetryQueue').logicalId;
    const drawn = JSON.stringify(waiting?.properties['metrics']);
    expect(drawn).toContain('"expression":"waiting + FILL(hidden, 0)"');
    expect(drawn).toContain(`"ApproximateNumberOfMessagesNotVisible","QueueName","${queue}`);
  });

  it('shows each SES figure with its limit', () => {
    const { widgets } = dashboard();

    const limits = widgets.flatMap(({ properties }) => {
      const { annotations } = z
        .looseObject({
          annotations: z.optional(z.looseObject({ horizontal: z.array(z.unknown()) })),
        })
        .parse(properties);
      return annotations?.horizontal ?? [];
    });

    expect(limits).toMatchObject([{ value: 0.05 }, { value: 0.001 }, { value: 80 }]);
  });
});
