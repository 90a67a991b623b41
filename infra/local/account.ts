import { type Reservations, reservedConcurrencyOf } from '../constructs/concurrency.ts';
import type { FunctionDeclaration } from '../constructs/function-catalogue.ts';
import {
  defaultThrottleOf,
  type Rates,
  routeAudiences,
  type Throttle,
  throttleOf,
} from '../constructs/route-throttles.ts';
import { newAccountConcurrency } from '../settings/new-account.ts';

/** What bounds a deployment: the account's concurrency, and the settings that follow from it or divide it. */
export type Account = Rates & Reservations;

/** With every other setting at its default. */
export const newAccount: Account = { lambdaConcurrency: newAccountConcurrency };

/** As the stage has it. `test/infra/new-account.test.ts` compares the two. */
export const throttleOfRoute = (routeKey: string, account: Account): Throttle =>
  throttleOf(routeAudiences.get(routeKey) ?? 'sending', account) ?? defaultThrottleOf(account);

/** How many executions a function has for itself, if it's not among those that share the rest. */
export const reservedOf = (
  declaration: Pick<FunctionDeclaration, 'reservation'> | undefined,
  account: Account,
): number | undefined => declaration && reservedConcurrencyOf(declaration, account);
