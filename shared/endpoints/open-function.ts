import type { EnvironmentOf } from '#shared/aws/capability';
import { limitsEnvironment, parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openTable, type Table } from '#shared/table/table-client';
import type { Capability, Equipped, Service } from './endpoint.ts';
import type { Lambda } from './lambda.ts';

// Methods, because TypeScript allows methods to take more specific parameters than their type says. Here that's the
// environment: `CheckedLambda` checks that the function's is enough.
type AnyOpeners = {
  all(table: Table, environment: object): object;
  one(table: Table, environment: object): unknown;
};
type Openers = AnyOpeners['all'] | Readonly<Record<string, AnyOpeners['one'] | Capability>>;

function environmentOf<const L extends Partial<Lambda>>(lambda: L): EnvironmentOf<L>;
function environmentOf({ environment }: Partial<Lambda>): unknown {
  return environment === undefined ? {} : parseEnvironment(environment);
}

/**
 * What every operation gets, and what its function uses. Opened once, while the process starts: all requests share it.
 */
export function openServiceFor(equipped: Equipped, table?: Table): Service;
export function openServiceFor(
  { lambda, uses = {} }: { readonly lambda: Lambda; readonly uses?: Openers },
  table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME),
): Service {
  const environment = environmentOf(lambda);
  const used =
    typeof uses === 'function'
      ? uses(table, environment)
      : Object.fromEntries(
          Object.entries(uses).map(([name, part]) => [
            name,
            typeof part === 'function'
              ? part(table, environment)
              : part.open(environmentOf(part.role)),
          ]),
        );
  return {
    table,
    now: Date.now,
    limitsOfDeployment: parseEnvironment(limitsEnvironment).ORGANIZATION_LIMITS,
    ...used,
  };
}
