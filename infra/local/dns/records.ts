import * as z from 'zod';

const recordTypes = ['A', 'CNAME', 'MX', 'TXT'] as const;

const recordSchema = z.object({ name: z.string(), type: z.enum(recordTypes), value: z.string() });
export const dnsRecordsSchema = z.array(recordSchema);
/** As in a zone file, without final dots. */
type LocalRecord = z.output<typeof recordSchema>;

export type LocalDns = {
  readonly records: readonly LocalRecord[];
  /** `undefined` if the name has no record of any type. */
  find(name: string, type: string): readonly string[] | undefined;
  publish(zoneFile: string): void;
  clear(): void;
};

/** @param onChange gets all records after each change. */
export function createLocalDns(
  initial: readonly LocalRecord[] = [],
  onChange: (records: readonly LocalRecord[]) => void = () => {},
): LocalDns {
  let records = initial;
  const change = (changed: readonly LocalRecord[]) => {
    records = changed;
    onChange(changed);
  };
  return {
    get records() {
      return records;
    },
    find: (name, type) => {
      const under = records.filter((record) => record.name === name.toLowerCase());
      if (under.length === 0) return undefined;
      return under.filter((record) => record.type === type).map(({ value }) => value);
    },
    publish: (zoneFile) => {
      const published = parseZoneFile(zoneFile);
      const isReplaced = ({ name, type }: LocalRecord) =>
        published.some((record) => record.name === name && record.type === type);
      change([...records.filter((record) => !isReplaced(record)), ...published]);
    },
    clear: () => change([]),
  };
}

const line = /^(\S+?)\.?\s+(?:\d+\s+)?(?:IN\s+)?([A-Z]+)\s+(.+?)\s*$/i;

export function parseZoneFile(text: string): LocalRecord[] {
  return text
    .split('\n')
    .filter((one) => one.trim() !== '' && !one.startsWith(';'))
    .map((one) => {
      const [, name = '', type = '', value = ''] = line.exec(one) ?? [];
      const record = recordSchema.safeParse({
        name: name.toLowerCase(),
        type: type.toUpperCase(),
        value: type.toUpperCase() === 'TXT' ? unquoted(value) : value.replace(/\.$/, ''),
      });
      if (!record.success || name === '') throw new Error(`No DNS record: ${one}`);
      return record.data;
    });
}

/** One pair of quotes belongs to the zone file. Inner ones, as people paste them, are part of the value. */
const unquoted = (value: string): string => value.replace(/^"(.*)"$/, '$1').replaceAll('\\"', '"');
