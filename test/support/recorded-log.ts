import type { Metric } from '#shared/observability/metrics';
import type { LogFields, RequestLog } from '#shared/observability/request-log';

export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
};

type RecordedLog = {
  readonly log: RequestLog;
  readonly lines: readonly LogLine[];
  /** What the lines carry. */
  readonly metrics: readonly Metric[];
};

/** A request log that keeps its lines. */
export function recordLog(): RecordedLog {
  const lines: LogLine[] = [];
  const metrics: Metric[] = [];
  return { log: openRecordedLog({}, lines, metrics), lines, metrics };
}

function openRecordedLog(fields: LogFields, lines: LogLine[], metrics: Metric[]): RequestLog {
  let bound = fields;
  const write = (
    level: LogLine['level'],
    message: string,
    fields: LogFields = {},
    carried: readonly Metric[] = [],
  ) => {
    lines.push({ level, message, fields: { ...bound, ...fields, ...dimensionsOf(carried) } });
    metrics.push(...carried);
  };
  return {
    bind: (more) => {
      bound = { ...bound, ...more };
    },
    part: (more) => openRecordedLog({ ...bound, ...more }, lines, metrics),
    debug: (...line) => write('debug', ...line),
    info: (...line) => write('info', ...line),
    warn: (...line) => write('warn', ...line),
    error: (message, _error, ...rest) => write('error', message, ...rest),
  };
}

const dimensionsOf = (metrics: readonly Metric[]): LogFields =>
  Object.fromEntries(
    metrics.flatMap((metric) =>
      metric._aws.CloudWatchMetrics.flatMap(({ Dimensions }) => Dimensions.flat())
        .filter((name) => name !== 'service')
        .map((name) => [name, String(metric[name])]),
    ),
  );
