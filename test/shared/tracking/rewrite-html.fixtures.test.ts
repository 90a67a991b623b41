import { describe, expect, it } from 'vitest';
import { expectFaithful } from './expect-faithful.ts';
import { readFixture, recordRewrite } from './recorded-rewrite.ts';

const shop = (path: string) => `https://shop.example/${path}`;

/** The links of each mail that a browser would follow to the web, as read by a person. */
const mails = {
  receipt: [
    'https://kestrel.example/',
    'https://kestrel.example/orders/1042-8817?utm_source=receipt&utm_medium=email&utm_campaign=transactional',
    'https://kestrel.example/p/ethiopia-guji?size=500&grind=whole%20bean',
    'https://kestrel.example/p/filters?q=v60&copy=2#reviews',
    'https://pay.kestrel.example/invoice/8817.pdf?sig=Zm9v%2Bbar%3D%3D',
  ],
  'outlook-button': [
    'https://hotel.example/confirm?b=77&k=it%27s',
    'https://hotel.example/b/77',
    'https://hotel.example/map?x=1&y=2',
  ],
  newsletter: [
    'https://news.example/2026/w14/',
    'https://news.example/2026/w14/dns-explained?ref=mail&pos=1',
    'https://news.example/2026/w13/recap.html#part-2',
    'https://partner.example/very/long/path%20%20%20%20%20/continued?utm_source=weekly&utm_content=card-2',
    'https://cdn.partner.example/authors/jo',
    'http://relative-with-scheme/',
    'https://partner.example/a/b',
    'https://news.example/archive?tag=c%2B%2B&lt=1&order=desc&region=eu%C2%B6=x',
    'https://news.example/noscript',
    'https://twitter.example/intent?text=%22Packet%22&url=https%3A%2F%2Fnews.example%2F&via=packet',
  ],
  'password-reset': [
    'https://app.example/reset?token=9f3c0e&email=ana%40example.com',
    'https://app.example/reset?token=9f3c0e&email=ana%40example.com',
  ],
  fragment: ['http://track.example/?id=JJD0003&lang=en'],
  broken: [
    ...[
      '1',
      '2',
      '3',
      '4',
      '5?a=%3Cb%3E&c=%3E',
      '6?q=%22x%22&r=%27y%27`z',
      '7',
      '8',
      '9',
      '10',
    ].map(shop),
    ...['11', '12'].map(shop),
    'http://shop.example/13',
    ...['14', '15'].map(shop),
  ],
  multilingual: [
    'https://xn--mgbh0fb.xn--kgbechtv/%D9%85%D8%B3%D8%A7%D8%B1?%D8%B3=%D9%82%D9%8A%D9%85%D8%A9&x=1',
    'https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84?%E6%9F%A5%E8%AF%A2=%E5%80%BC',
    'https://xn--mnchen-3ya.example/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe#abschnitt-%C3%BC',
    'https://xn--e1afmkfd.xn--80akhbyknj4f/%D0%BF%D1%83%D1%82%D1%8C',
    'https://xn--r8jz45g.xn--zckzah/%E3%83%91%E3%82%B9',
    'https://emoji.example/%F0%9F%91%8D%F0%9F%8F%BD?e=%F0%9F%91%8D',
    'https://x.example/%C3%A9%C3%89%C3%A9%C3%A9%E2%89%82%CC%B8',
  ],
};

describe.each(Object.entries(mails))('the mail "%s"', (name, destinations) => {
  const html = readFixture(name);

  it('has exactly the links tracked that lead to the web', () => {
    const rewritten = recordRewrite(html);

    expect(rewritten.destinations).toEqual(destinations);
  });

  it('is otherwise the same, byte for byte and in a browser', () => {
    expectFaithful(html);
  });
});

describe('a mail of more than a megabyte', () => {
  it('has every link tracked and is otherwise the same', () => {
    const receipt = readFixture('receipt');
    const [head = '', foot = ''] = receipt.split('</body>');
    const copies = Math.ceil(1_200_000 / head.length);

    const { destinations } = expectFaithful(`${head.repeat(copies)}</body>${foot}`);

    expect(destinations).toHaveLength(copies * mails.receipt.length);
  });
});
