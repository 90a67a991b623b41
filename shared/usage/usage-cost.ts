import { measuredCosts, type SesPlan, sesPrices } from '#shared/config/ses-prices';

export type Used = {
  readonly sends: number;
  readonly recipients: number;
  readonly attachmentBytes: number;
  readonly webhookMessages: number;
};

export type Cost = {
  /** SES's price for the recipients; à la carte, also for attachments. */
  readonly ses: number;
  /** Everything else on AWS that sends and their webhooks cost. */
  readonly service: number;
  /**
   * A share of the costs of any month: the plan's price, the idle deployment, and custom metrics once emails go out.
   */
  readonly fixed: number;
  readonly total: number;
};

/** The shares add up to the whole, to the cent. */
export function costsOf(plan: SesPlan, used: readonly Used[]): readonly Cost[] {
  const { thousand, month, attachmentGb } = sesPrices[plan];
  const ses = shareOut(
    used.map(
      ({ recipients, attachmentBytes }) =>
        (recipients / 1_000) * thousand + (attachmentBytes / bytesPerGb) * attachmentGb,
    ),
  );
  const { millionSends, millionDeliveries, idleMonth, metricsMonth } = measuredCosts;
  const service = shareOut(
    used.map(
      ({ sends, webhookMessages }) =>
        (sends / 1e6) * millionSends + (webhookMessages / 1e6) * millionDeliveries,
    ),
  );
  const recipients = used.reduce((sum, one) => sum + one.recipients, 0);
  const monthly = used.length === 0 ? 0 : month + idleMonth + (recipients > 0 ? metricsMonth : 0);
  const fixed = shareOut(
    used.map((one) => monthly * (recipients > 0 ? one.recipients / recipients : 1 / used.length)),
  );
  return used.map((_, index) => {
    const [a = 0, b = 0, c = 0] = [ses[index], service[index], fixed[index]];
    return { ses: a, service: b, fixed: c, total: a + b + c };
  });
}

export const sumCosts = (costs: readonly Cost[]): Cost => {
  const sum = (part: keyof Cost) => costs.reduce((all, cost) => all + cost[part], 0);
  return { ses: sum('ses'), service: sum('service'), fixed: sum('fixed'), total: sum('total') };
};

const bytesPerGb = 1e9;

/** Whole cents that add up to these dollars: leftover cents go to the largest remainders, the first of equals. */
export function shareOut(dollars: readonly number[]): readonly number[] {
  const exact = dollars.map((amount) => amount * 100);
  const cents = exact.map(Math.floor);
  const whole = Math.round(exact.reduce((sum, amount) => sum + amount, 0));
  const left = whole - cents.reduce((sum, amount) => sum + amount, 0);
  const rests = exact.map((amount, index) => ({ index, rest: amount - Math.floor(amount) }));
  const favoured = new Set(
    [...rests]
      // For the console, too: not all of its browsers have `toSorted`.
      .sort((one, other) => other.rest - one.rest || one.index - other.index)
      .slice(0, left)
      .map(({ index }) => index),
  );
  return cents.map((amount, index) => amount + (favoured.has(index) ? 1 : 0));
}
