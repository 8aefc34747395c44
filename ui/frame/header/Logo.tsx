/** The product's logo: a tick that ends in a trail of marks. */
export const Logo = ({ size = 28 }: { readonly size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <rect x="1" y="1" width="30" height="30" rx="7" fill="var(--brand)" />
    <path
      d="M12.5 20.5 15.8 24 25.5 10"
      fill="none"
      stroke="var(--surface)"
      strokeWidth="3.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <circle cx="9.2" cy="16.8" r="1.7" fill="var(--surface)" />
    <circle cx="6.4" cy="12.8" r="1.25" fill="var(--surface)" opacity="0.75" />
    <circle cx="5.2" cy="8.4" r="0.9" fill="var(--surface)" opacity="0.5" />
  </svg>
);
