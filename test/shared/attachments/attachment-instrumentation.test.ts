import { describe, expect, it } from 'vitest';
import type { AttachmentReport } from '#shared/attachments/admit-attachments';
import { observeAttachments } from '#shared/attachments/attachment-instrumentation';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { captureOutput } from '../../support/captured-output.ts';
import { recordLog } from '../../support/recorded-log.ts';

const organizationId = newOrganizationId();
const facts = { organizationId, count: 2, totalBytes: 1_572_864 };
const fields = { organizationId, count: 2, totalBytes: 1_572_864, totalMB: 1.5 };
const preview = { title: 'Upgrade' };

/** The log lines and the metrics, in the embedded metric format, of one report. */
function observe(report: AttachmentReport) {
  const output = captureOutput();
  const { log, lines } = recordLog();
  observeAttachments(log, report);
  const metrics = output
    .text()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(parse);
  return { lines, metrics };
}

const parse = (line: string): unknown => JSON.parse(line);

describe('the instrumentation of attachments', () => {
  it('logs a check at INFO and counts nothing yet', () => {
    const { lines, metrics } = observe({ ...facts, outcome: 'check' });

    expect(lines).toMatchObject([
      { level: 'info', fields: { event: 'attachments_check', ...fields } },
    ]);
    expect(metrics).toEqual([]);
  });

  it('rounds the size in MB to two places', () => {
    const { lines } = observe({ ...facts, totalBytes: 1_294_336, outcome: 'check' });

    expect(lines).toMatchObject([{ fields: { totalBytes: 1_294_336, totalMB: 1.23 } }]);
  });

  it('logs what is allowed at INFO and counts it', () => {
    const { lines, metrics } = observe({ ...facts, outcome: 'allowed', preview });

    expect(lines).toMatchObject([
      { level: 'info', fields: { event: 'attachments_allowed', ...fields, preview } },
    ]);
    expect(metrics).toMatchObject([
      {
        'attachments.allowed.count': 1,
        'attachments.total_count': 2,
        'attachments.total_bytes': 1_572_864,
        'attachments.total_size_mb': 1.5,
      },
    ]);
  });

  it.each(['plan_required', 'too_many', 'too_large', 'invalid_base64'] as const)(
    'logs a rejection as %s at WARN and counts it by its reason',
    (reason) => {
      const rejected = { outcome: 'rejected', reason, preview, failure: undefined } as const;

      const { lines, metrics } = observe({ ...facts, ...rejected });

      expect(lines).toMatchObject([
        { level: 'warn', fields: { event: 'attachments_rejected', ...fields, reason, preview } },
      ]);
      expect(metrics).toMatchObject([{ 'attachments.denied.count': 1, reason }]);
      expect(JSON.stringify(metrics)).toContain('"Dimensions":[["service","reason"]]');
    },
  );

  it('logs as an error that the plan could not be asked for', () => {
    const failure = new Error('no answer');
    const rejected = { outcome: 'rejected', reason: 'plan_required', failure } as const;

    const { lines } = observe({ ...facts, ...rejected, preview: undefined });

    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn']);
  });

  it('leaves out a preview of more than 4 KB', () => {
    const long = { html: 'x'.repeat(5_000) };

    const { lines } = observe({ ...facts, outcome: 'allowed', preview: long });

    expect(lines[0]?.fields).not.toHaveProperty('preview');
  });
});
