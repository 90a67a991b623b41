import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * The bytes that DynamoDB bills an item by: attribute names and values.
 *
 * Source: DynamoDB developer guide, "DynamoDB item sizes and formats".
 */
export const itemSize = (item: Attributes): number =>
  sum(Object.entries(item).map(([name, value]) => textSize(name) + valueSize(value)));

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return textSize(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.SS !== undefined) return sum(value.SS.map(textSize));
  if (value.NS !== undefined) return sum(value.NS.map(numberSize));
  if (value.BS !== undefined) return sum(value.BS.map(({ byteLength }) => byteLength));
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + itemSize(value.M);
  if (value.L !== undefined) return 3 + value.L.length + sum(value.L.map(valueSize));
  return 1; // BOOL and NULL
}

const textSize = (text: string): number => Buffer.byteLength(text);

/** One byte per two significant digits and one more; the guide calls it approximate. */
function numberSize(text: string): number {
  const digits = text.replace(/e.*$/i, '').replace(/[-+.]/g, '');
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  const sign = text.startsWith('-') ? 1 : 0;
  return Math.ceil(significant.length / 2) + 1 + sign;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
