import type { FunctionName } from '../../constructs/function-catalogue.ts';
import {
  contactStream,
  type TableStreamSettings,
  usageStream,
} from '../../constructs/pipelines/table-stream-settings.ts';
import { tableName } from '../environment.ts';
import { type HandlerLoader, invokeFunction } from '../gateway/function-invocation.ts';
import { startTableStreamTrigger } from './table-stream.ts';

export type StreamTriggerOptions = {
  /** Of DynamoDB. */
  readonly endpoint: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
  readonly everyMs?: number;
};

/** What makes usage be counted: the mapping of the table's stream to its function. */
export const startUsageCounting = (options: StreamTriggerOptions) =>
  startTrigger('count-usage', usageStream, options);

/** What makes new contacts be listed. */
export const startContactListing = (options: StreamTriggerOptions) =>
  startTrigger('index-contacts', contactStream, options);

const startTrigger = (
  name: FunctionName,
  settings: TableStreamSettings,
  { loadHandler, report, ...options }: StreamTriggerOptions,
) =>
  startTableStreamTrigger({
    ...options,
    tableName,
    settings,
    invoke: async (event) => {
      const outcome = await invokeFunction(loadHandler, name, event);
      if (outcome.kind === 'returned') return outcome.result;
      throw outcome.kind === 'threw' ? outcome.error : new Error('timed out');
    },
    report: (fault) => report(name, fault),
  });
