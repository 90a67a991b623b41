import type { LogFields, RequestLog } from '#shared/observability/request-log';

export type LogLine = {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
};

/** A request log that keeps its lines. */
export function recordLog(): { readonly log: RequestLog; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  return { log: openRecordedLog({}, lines), lines };
}

function openRecordedLog(fields: LogFields, lines: LogLine[]): RequestLog {
  let bound = fields;
  const write = (level: LogLine['level'], message: string, fields: LogFields = {}) => {
    lines.push({ level, message, fields: { ...bound, ...fields } });
  };
  return {
    bind: (more) => {
      bound = { ...bound, ...more };
    },
    part: (more) => openRecordedLog({ ...bound, ...more }, lines),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, _error, fields) => write('error', message, fields),
  };
}
