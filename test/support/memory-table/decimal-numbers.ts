import { refuse } from './refusals.ts';

/** DynamoDB's numbers: decimal, exact, and texts on the wire. A canonical text has no exponent. */

type Decimal = {
  readonly digits: bigint;
  /** The value is `digits` / 10 ** `scale`. */
  readonly scale: number;
};

const canonicalInteger = /^(?:0|-?[1-9]\d*)$/;
const shortInteger = /^-?\d{1,15}$/;

/** The one text of all that mean the same number. */
export const canonicalNumber = (text: string): string =>
  canonicalInteger.test(text) ? text : textOf(parse(text));

/** Negative when `one` is less, zero when they are equal. Takes canonical texts. */
export function compareNumbers(one: string, other: string): number {
  if (one === other) return 0;
  if (shortInteger.test(one) && shortInteger.test(other)) return Number(one) - Number(other);
  return subtract(one, other).startsWith('-') ? -1 : 1;
}

export const add = (one: string, other: string): string => combine(one, other, 1n);
export const subtract = (one: string, other: string): string => combine(one, other, -1n);

function combine(one: string, other: string, sign: bigint): string {
  const left = parse(one);
  const right = parse(other);
  const scale = Math.max(left.scale, right.scale);
  return textOf({ digits: atScale(left, scale) + sign * atScale(right, scale), scale });
}

const atScale = ({ digits, scale }: Decimal, asked: number): bigint =>
  digits * 10n ** BigInt(asked - scale);

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function parse(text: string): Decimal {
  const [matched, sign, whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? [];
  if (matched === undefined || whole + fraction === '') {
    return refuse(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  const magnitude = BigInt(whole + fraction);
  const digits = sign === '-' ? -magnitude : magnitude;
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function textOf({ digits, scale }: Decimal): string {
  const magnitude = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = magnitude.slice(0, magnitude.length - scale);
  const fraction = magnitude.slice(magnitude.length - scale).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
