import { publishAttachments, publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import type { AttachmentReport } from './admit-attachments.ts';
import { megabyte } from './attachment-rejection.ts';

/** A preview can be anything. If its JSON is longer, it isn't logged. */
const maxPreviewLength = 4_096;

export function observeAttachments(log: RequestLog, report: AttachmentReport): void {
  const { outcome, organizationId, count, totalBytes } = report;
  const totalMB = Math.round((totalBytes / megabyte) * 100) / 100;
  const fields = { event: `attachments_${outcome}`, organizationId, count, totalBytes, totalMB };
  switch (outcome) {
    case 'check':
      log.info('attachments checked', fields);
      return;
    case 'allowed':
      log.info('attachments allowed', { ...fields, ...loggable(report.preview) });
      publishAttachments({ count, totalBytes, totalMB: totalBytes / megabyte });
      return;
    case 'rejected': {
      const { reason, failure } = report;
      if (failure !== undefined) log.error('entitlement check failed', failure);
      log.warn('attachments rejected', { ...fields, reason, ...loggable(report.preview) });
      publishCount('attachments.denied.count', { reason });
      return;
    }
  }
}

type Preview = Extract<AttachmentReport, { outcome: 'allowed' }>['preview'];

const loggable = (preview: Preview) =>
  preview === undefined || JSON.stringify(preview).length > maxPreviewLength ? {} : { preview };
