"""Un receptor de webhooks con Flask: python flask_receiver.py"""

import os

from flask import Flask, request
from mostrador import WebhookSignatureError, receive_webhook

from procesar import procesar

app = Flask(__name__)


# Flask no pide token CSRF. Si usa Flask-WTF, exima esta vista y solo esta: csrf.exempt(webhooks).
@app.post("/webhooks")
def webhooks():
    # Los bytes tal como llegaron: antes de request.form o request.json.
    cuerpo = request.get_data()
    try:
        evento = receive_webhook(cuerpo, request.headers.get("Service-Signature"), os.environ["MOSTRADOR_WEBHOOK_SECRET"])
    except WebhookSignatureError as error:
        return str(error), 400
    procesar(evento)
    return "", 204


if __name__ == "__main__":
    app.run("127.0.0.1", int(os.environ.get("PORT", "4242")))
