"""kinds.py - the backends that tests/backends/run knows, a row each

A kind says which server it has, what its block is and what is in the environment;
where the two differ, by what place a worker has there (a number) and at which port
its proxy listens.
"""
import base64
import os


def error(severity, code, text, state=None):
    """an ErrorResponse of PostgreSQL, and ReadyForQuery in that state"""
    fields = b"".join(k + v.encode() + b"\0" for k, v in (
        (b"S", severity), (b"V", severity), (b"C", code), (b"M", text)))
    out = b"E" + (len(fields) + 5).to_bytes(4, "big") + fields + b"\0"
    if state:
        out += b"Z\0\0\0\5" + state
    return out.hex()


HTTP_ANSWERS = [{"do": "answer", "status": s, "body": "no"}
                for s in (500, 429, 403)]
PG_ANSWERS = [
    {"do": "answer", "hex": error("FATAL", "57P01", "terminating"),
     "last": True},
    {"do": "answer", "hex": error("FATAL", "53300", "too many clients"),
     "last": True},
    {"do": "answer", "hex": error("ERROR", "42501", "permission denied",
                                  b"I")},
]


class Kind:
    fake = None        # a program of tests/servers
    server = None      # or a name that run.py knows
    raw = False        # another protocol than HTTP
    cuts = True        # the server notices that a request was cut
    answers = HTTP_ANSWERS
    stores = "*"       # the request that has the state in its body
    holder = "@"       # how a holder of a lock is told
    workspaces = True
    locks = True       # as it is set up here
    expires = 0        # seconds after which a lock that is left ends by itself
    moves = ["-input=false", "-migrate-state", "-force-copy"]  # of init
    answers_moves = None  # to its questions
    across = True      # from one place there to another
    anew = ["-reconfigure"]  # of init, where nothing is to move
    jobs = 4           # cases at once
    surroundings = {}

    def prepare(self, run, worker):
        """files of the worker, and what its proxy needs"""

    def environment(self, run, worker):
        return self.surroundings

    def block(self, worker, place):
        return 'backend "%s" {\n%s\n}' % (
            self.type, "\n".join("  " + x for x in self.lines(worker, place)))


class Http(Kind):
    type, fake = "http", "http_state"
    stores = "POST *"
    workspaces = False

    def lines(self, worker, place):
        at = "http://127.0.0.1:%d/%s" % (worker.port, place)
        return ['address = "%s"' % at, 'lock_address = "%s"' % at,
                'unlock_address = "%s"' % at, "retry_wait_min = 0"]


class S3(Kind):
    type, server = "s3", "versitygw"
    stores = "PUT *.tfstate"
    surroundings = {"AWS_ACCESS_KEY_ID": "tests", "AWS_REGION": "us-east-1",
                    "AWS_SECRET_ACCESS_KEY": "testsecret",
                    "AWS_EC2_METADATA_DISABLED": "true",
                    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
                    "AWS_CONFIG_FILE": "/dev/null"}
    more = ["skip_credentials_validation = true"]

    def lines(self, worker, place):
        at = "http://127.0.0.1:%d" % worker.port
        return ['bucket = "state"', 'key = "%s.tfstate"' % place,
                'endpoints = { s3 = "%s", dynamodb = "%s", sts = "%s", '
                'iam = "%s" }' % (at, at, at, at), "use_path_style = true",
                "use_lockfile = true", "max_retries = 2"] + self.more


class S3Table(S3):
    server = "moto"
    cuts = False
    more = ['dynamodb_table = "locks"']


class Gcs(Kind):
    type, server = "gcs", "gcs"
    stores = "POST *tfstate*"

    def prepare(self, run, worker):
        worker.put("proxy/host", "127.0.0.1:%d" % run.served.port)

    def environment(self, run, worker):
        return {"GOOGLE_OAUTH_ACCESS_TOKEN": "tok3n",
                "GOOGLE_STORAGE_CUSTOM_ENDPOINT":
                    "http://127.0.0.1:%d/storage/v1/" % worker.port}

    def lines(self, worker, place):
        return ['bucket = "state"', 'prefix = "%s"' % place]


class Azurerm(Kind):
    type, server = "azurerm", "azurite"
    stores = "PUT *.tfstate"

    def prepare(self, run, worker):
        worker.put("proxy/tls", "")

    def environment(self, run, worker):
        return {"HTTPS_PROXY": "http://127.0.0.1:%d" % worker.port,
                "SSL_CERT_FILE": run.served.inside("ca.pem"),
                "ARM_ACCESS_KEY": base64.b64encode(
                    b"a key of the tests, 32 bytes it is").decode()}

    def lines(self, worker, place):
        return ['storage_account_name = "tests"', 'container_name = "state"',
                'key = "%s.tfstate"' % place]


class Pg(Kind):
    type, server, raw = "pg", "postgres", True
    answers = PG_ANSWERS
    stores = "*INSERT INTO*"
    expires = 5  # until the server sees that a connection is closed

    def environment(self, run, worker):
        return {"PGPASSWORD": "secret", "PGSSLMODE": "disable"}

    def lines(self, worker, place):
        return ['conn_str = "postgres://tests@127.0.0.1:%d/state"'
                % worker.port, 'schema_name = "%s"' % place]


class Consul(Kind):
    type, fake = "consul", "consul"
    stores = "PUT /v1/txn*"
    expires = 45  # sessions, and what Consul waits after them

    def lines(self, worker, place):
        return ['address = "127.0.0.1:%d"' % worker.port,
                'path = "%s"' % place]


class Kubernetes(Kind):
    type, fake = "kubernetes", "kubernetes"
    stores = "P* */secrets*"

    def prepare(self, run, worker):
        worker.put("kubeconfig", "clusters: [{ name: c, cluster: { server: "
                   '"http://127.0.0.1:%d" } }]\n'
                   "contexts: [{ name: x, context: { cluster: c } }]\n"
                   "current-context: x\n" % worker.port)

    def lines(self, worker, place):
        return ['secret_suffix = "%s"' % place,
                'config_path = "%s"' % worker.inside("kubeconfig")]


class Cos(Kind):
    type, fake = "cos", "tencent"
    stores = "PUT *.tfstate"

    def environment(self, run, worker):
        return {"HTTPS_PROXY": "http://127.0.0.1:%d" % worker.port,
                "SSL_CERT_FILE": run.served.inside("ca.pem"),
                "TENCENTCLOUD_SECRET_ID": "id",
                "TENCENTCLOUD_SECRET_KEY": "secret"}

    def lines(self, worker, place):
        return ['bucket = "tests-1"', 'region = "ap-guangzhou"',
                'key = "%s.tfstate"' % place]


class Oss(Kind):
    type, fake = "oss", "aliyun"
    stores = "PUT *.tfstate"
    locks = False

    def environment(self, run, worker):
        return {"HTTPS_PROXY": "http://127.0.0.1:%d" % worker.port,
                "SSL_CERT_FILE": run.served.inside("ca.pem"),
                "ALICLOUD_ACCESS_KEY": "id", "ALICLOUD_SECRET_KEY": "secret"}

    def lines(self, worker, place):
        return ['bucket = "tests-1"', 'region = "cn-beijing"',
                'endpoint = "http://127.0.0.1:%d"' % worker.port,
                'key = "%s.tfstate"' % place]


class Remote(Kind):
    type, fake = "remote", "tfe"
    stores = "PUT /stored/*"
    holder = "ann"
    workspaces = False
    across = False     # another workspace is meant, and nothing moves
    jobs = 16          # a fault that lasts is waited out for 47 seconds

    def prepare(self, run, worker):
        worker.put("proxy/tls", "")

    def environment(self, run, worker):
        return {"HTTPS_PROXY": "http://127.0.0.1:%d" % worker.port,
                "SSL_CERT_FILE": run.served.inside("ca.pem"),
                "TF_TOKEN_tfe_test": "token-ann"}

    def block(self, worker, place):
        return """%s {
  hostname     = "tfe.test"
  organization = "tests"
  workspaces { name = "%s" }
}""" % ('backend "remote"' if self.type == "remote" else self.type, place)


class Cloud(Remote):
    type = "cloud"
    moves, anew = [], []
    answers_moves = "yes\nyes\n"


ALL = {"http": Http, "s3": S3, "s3-table": S3Table, "gcs": Gcs,
       "azurerm": Azurerm, "pg": Pg, "consul": Consul,
       "kubernetes": Kubernetes, "cos": Cos, "oss": Oss,
       "remote": Remote, "cloud": Cloud}
