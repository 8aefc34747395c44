export type LegalText = 'privacy' | 'terms';
