import { describe, expect, it } from 'vitest';
import { leaseMs } from '#shared/webhook-deliveries/delivery';
import { httpWorkMs, scheduledWorkMs } from '#shared/webhook-deliveries/run-due-deliveries';
import { resourceAt, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const queue = resourceAt(stack, 'WebhookDelivery/Queue');
const deadLetters = resourceAt(stack, 'WebhookDelivery/DeadLetters/Queue');
const deliver = resourceAt(stack, 'Functions/deliver-webhooks/Lambda');
const run = resourceAt(stack, 'Functions/retry-due-webhooks/Lambda');

describe('the queue of first attempts', () => {
  it('is encrypted, and gives up on a message only after five tries', () => {
    expect(queue.Properties).toEqual({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
      VisibilityTimeout: 180,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters.logicalId, 'Arn'] },
        maxReceiveCount: 5,
      },
    });
  });

  it("redelivers a message after six times the function's timeout", () => {
    const timeoutSeconds = Number(deliver.Properties['Timeout']);

    expect(queue.Properties['VisibilityTimeout']).toBe(6 * timeoutSeconds);
  });

  it('invokes deliver-webhooks without delay, with partial batch responses', () => {
    const [mapping, ...others] = resourcesOfType(stack, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => JSON.stringify(Properties['EventSourceArn']).includes(queue.logicalId),
    );

    expect(others).toEqual([]);
    expect(mapping?.Properties).toEqual({
      EventSourceArn: { 'Fn::GetAtt': [queue.logicalId, 'Arn'] },
      FunctionName: { Ref: deliver.logicalId },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

describe('an attempt', () => {
  const longestPostMs = 15_000;

  it('from the queue ends before its lease, even if the function times out', () => {
    const timeoutMs = Number(deliver.Properties['Timeout']) * 1_000;

    expect(timeoutMs).toBeGreaterThan(longestPostMs);
    expect(timeoutMs).toBeLessThanOrEqual(leaseMs);
  });

  it('that a scheduled run starts last still ends within its lease', () => {
    const timeoutMs = Number(run.Properties['Timeout']) * 1_000;

    expect(scheduledWorkMs).toBeLessThan(60_000);
    expect(timeoutMs).toBe(scheduledWorkMs + leaseMs);
  });

  it('that an HTTP run starts last ends before the response is due', () => {
    expect(httpWorkMs + longestPostMs).toBeLessThan(29_000);
  });
});
