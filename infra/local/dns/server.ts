import { createSocket } from 'node:dgram';
import { loopback } from '../server.ts';
import type { LocalDns } from './records.ts';

/** Serves the twin's records (RFC 1035 §4). Every domain of two labels is a zone. */
export async function startDnsServer(
  dns: LocalDns,
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const answer = answerTo(query, dns);
    if (answer !== undefined) socket.send(answer, port, address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, loopback, resolve);
  });
  return {
    address: `${loopback}:${socket.address().port}`,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const types = [
  { name: 'A', number: 1 },
  { name: 'CNAME', number: 5 },
  { name: 'SOA', number: 6 },
  { name: 'MX', number: 15 },
  { name: 'TXT', number: 16 },
] as const;
type Type = (typeof types)[number];

const headerLength = 12;
const noSuchName = 3;

function answerTo(query: Buffer, dns: LocalDns): Buffer | undefined {
  const { name, end } = readName(query, headerLength);
  if (query.length < end + 4) return undefined;
  const type = types.find(({ number }) => number === query.readUInt16BE(end));
  const values = (type && valuesOf(dns, name, type.name)) ?? [];
  const isKnown = values.length > 0 || dns.find(name, 'A') !== undefined;
  const header = Buffer.alloc(headerLength);
  query.copy(header, 0, 0, 2);
  // An authoritative answer that claims to support recursion.
  header.writeUInt16BE(0x8580 | (isKnown ? 0 : noSuchName), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(values.length, 6);
  const question = query.subarray(headerLength, end + 4);
  const answers = type === undefined ? [] : values.map((value) => resourceOf(type, value));
  return Buffer.concat([header, question, ...answers]);
}

function valuesOf(dns: LocalDns, name: string, type: Type['name']): readonly string[] | undefined {
  if (type === 'SOA') return name.split('.').length === 2 ? [`ns.${name}`] : [];
  return dns.find(name, type);
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Refers to the name in the question, right after the header. */
function resourceOf({ name, number }: Type, value: string): Buffer {
  const data = dataOf(name, value);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | headerLength, 0);
  head.writeUInt16BE(number, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: Type['name'], value: string): Buffer {
  switch (type) {
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'CNAME':
      return nameBytes(value);
    case 'SOA':
      return Buffer.concat([nameBytes(value), nameBytes(`hostmaster.${value}`), Buffer.alloc(20)]);
    case 'MX': {
      const [priority = '0', host = ''] = value.split(/\s+/);
      const number = Buffer.alloc(2);
      number.writeUInt16BE(Number(priority));
      return Buffer.concat([number, nameBytes(host)]);
    }
    case 'TXT':
      return Buffer.concat(chunksOf(Buffer.from(value)).map(withLength));
  }
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => withLength(Buffer.from(label, 'latin1'))),
    Buffer.alloc(1),
  ]);

const withLength = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);

const chunksOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.subarray(index * 255, (index + 1) * 255),
  );
