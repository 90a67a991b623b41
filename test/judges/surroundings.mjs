// What judges find around the service: a DNS zone, and a program that takes webhooks.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'svix';

/** Puts records of subdomains of example.org into the twin's DNS, as a person puts them into a zone. */
export async function publish(records) {
  const lines = records.map(({ type, name, value, priority = '' }) => {
    const written = type === 'TXT' ? `"${value}"` : `${value}.`;
    return `${name}.example.org. 60 IN ${type} ${priority} ${written}`;
  });
  const url = `${process.env.EMAIL_SERVICE_URL}/_local/dns`;
  await fetch(url, { method: 'POST', body: lines.join('\n') });
}

export async function until(ask, holds) {
  for (let tries = 0; tries < 1500; tries += 1) {
    const found = await ask();
    if (holds(found)) return found;
    await sleep(100);
  }
  throw new Error('It never came');
}

export async function startReceiver() {
  const received = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    received.push({ body, headers: request.headers });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    /** What came of that email, once svix has verified it. */
    verified: async (emailId, secret) => {
      const of = () => received.find(({ body }) => body.includes(emailId));
      const { body, headers } = await until(of, Boolean);
      new Webhook(secret).verify(body, headers);
      return JSON.parse(body);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
