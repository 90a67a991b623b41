import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  publishAttachments,
  publishCount,
  publishDuration,
  publishPercent,
} from '#shared/observability/metrics';
import { captureOutput } from '../../support/captured-output.ts';

const lineSchema = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.tuple([
      z.object({
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ]),
  }),
});

/** The metrics of each line that was written, and their dimensions. */
const linesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.includes('"_aws"'))
    .map((line) => {
      const [{ Dimensions, Metrics }] = lineSchema.parse(JSON.parse(line))._aws.CloudWatchMetrics;
      return { dimensions: Dimensions, names: Metrics.map(({ Name }) => Name) };
    });

describe('metrics', () => {
  it('are published one line at a time, and nothing of one line is in the next', () => {
    const output = captureOutput();

    publishCount('SendSettled', { endpoint: 'send', status: 'sent' });
    publishAttachments({ count: 1, totalBytes: 2, totalMB: 3 });
    publishDuration('WebhookOldestDueLateness', 5);
    publishPercent('SesQuotaUsed', 25);

    expect(linesIn(output.text())).toEqual([
      { dimensions: [['service', 'endpoint', 'status']], names: ['SendSettled'] },
      {
        dimensions: [['service']],
        names: [
          'attachments.allowed.count',
          'attachments.total_count',
          'attachments.total_bytes',
          'attachments.total_size_mb',
        ],
      },
      { dimensions: [['service']], names: ['WebhookOldestDueLateness'] },
      { dimensions: [['service']], names: ['SesQuotaUsed'] },
    ]);
  });
});
