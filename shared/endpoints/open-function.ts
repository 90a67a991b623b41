import type * as z from 'zod/mini';
import { limitsEnvironment, parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openTable, type Table } from '#shared/table/table-client';
import type { Lambda } from './lambda.ts';

type EnvironmentOf<L extends Lambda> = L extends {
  readonly environment: infer Schema extends z.core.$ZodType;
}
  ? z.output<Schema>
  : object;

export type Opener<L extends Lambda, Opened> = (
  table: Table,
  environment: EnvironmentOf<L>,
) => Opened;

/** Opens them once, while the process starts: every request uses the same. */
export const openFunction = <const L extends Lambda, Opened>(
  lambda: L,
  open: Opener<L, Opened>,
  table = openOwnTable(),
): Opened => open(table, environmentOf(lambda));

export const openOwnTable = (): Table => openTable(parseEnvironment(tableEnvironment).TABLE_NAME);

function environmentOf<const L extends Lambda>(lambda: L): EnvironmentOf<L>;
function environmentOf({ environment }: Lambda): unknown {
  return environment === undefined ? {} : parseEnvironment(environment);
}

export const openClockAndLimits = () => ({
  now: Date.now,
  limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
});
