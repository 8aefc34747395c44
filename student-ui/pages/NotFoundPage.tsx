import { Link } from 'wouter';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Card } from '../../ui/frame/Card.tsx';

export const NotFoundPage = () => (
  <Card title="There is no such page" lead="The address may be mistyped, or the page has moved.">
    <p style={{ marginTop: 24 }}>
      <Link className={buttonClass('primary')} to="/">
        Go to the start page
      </Link>
    </p>
  </Card>
);
