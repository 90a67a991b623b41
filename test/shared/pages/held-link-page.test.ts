import { describe, expect, it } from 'vitest';
import { heldLinkPage } from '#shared/pages/held-link-page';

const page = (destination: string, organizationName = 'Example Ltd') =>
  heldLinkPage({ organizationName, destination });

describe('the page that asks before a link of a paused organization is followed', () => {
  it('names host and whole address as text, and leads there by a click only', () => {
    const text = page('https://shop.example.com/order?id=1&x=2#top');

    expect(text).toContain('<b><bdi>shop.example.com</bdi></b>');
    expect(text).toContain('<p class="notice">https://shop.example.com/order?id=1&amp;x=2#top</p>');
    expect(text).toContain(
      '<a class="onward" href="https://shop.example.com/order?id=1&amp;x=2#top" rel="noreferrer nofollow">',
    );
    expect(text).not.toMatch(/http-equiv|<script/i);
  });

  it('shows the host that the browser would ask, not what stands before it', () => {
    const text = page('https://www.paypal.com@evil.example/login');

    expect(text).toContain('<b><bdi>evil.example</bdi></b>');
  });

  it('escapes what the organization chose', () => {
    const text = page('https://shop.example.com/?a="><script>alert(1)</script>', '<b>Bank</b>');

    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;b&gt;Bank&lt;/b&gt;');
  });
});
