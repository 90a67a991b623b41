import { usageFilters } from '../constructs/usage-stream-settings.ts';
import { type HandlerLoader, invokeFunction } from './function-invocation.ts';
import { tableName } from './local-environment.ts';
import { startTableStreamTrigger } from './table-stream.ts';

export type UsageCountingOptions = {
  /** Of DynamoDB. */
  readonly endpoint: string;
  readonly loadHandler: HandlerLoader;
  readonly report: (...fault: readonly unknown[]) => void;
  readonly everyMs?: number;
};

/** What makes usage be counted: the mapping of the table's stream to its function. */
export const startUsageCounting = ({ loadHandler, report, ...options }: UsageCountingOptions) =>
  startTableStreamTrigger({
    ...options,
    tableName,
    filters: usageFilters,
    invoke: async (event) => {
      const outcome = await invokeFunction(loadHandler, 'count-usage', event);
      if (outcome.kind === 'returned') return outcome.result;
      throw outcome.kind === 'threw' ? outcome.error : new Error('timed out');
    },
    report: (fault) => report('count-usage', fault),
  });
