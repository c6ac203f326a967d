# The papers' tables from answers to the studies of `touchstone example study-image-ratings` and its like (docs/studies.md).
# ProtoBias: quadratic kappas of every two annotators; how often people prefer the correct image
touchstone study export studies/image-ratings --table agreement --out ratings.csv
touchstone analyze agreement ratings.csv --scale ordinal --details
touchstone study export studies/image-ratings --table contrastive --out triplets.csv
touchstone analyze contrastive triplets.csv
# L-VQAScore: majority share of both protocols; people's precision, recall and F1
touchstone study export studies/attribute-protocols --table agreement --block likert --out likert.csv
touchstone analyze agreement likert.csv --scale ordinal
touchstone study export studies/attribute-protocols --table agreement --block localized --out localized.csv
touchstone analyze agreement localized.csv --scale nominal
touchstone study export studies/attribute-protocols --table attributes --out questions.csv
touchstone analyze attributes questions.csv
# SSI: the judge's accuracy and kappa against experts; what people prefer; themes by query and model
touchstone study export studies/stereotype-experts --table stereotypes --out experts.csv
touchstone analyze stereotypes experts.csv --experts p-abcdefghij,p-bcdefghijk --details
touchstone study export studies/stereotype-interviews --table preferences --out choices.csv
touchstone analyze preferences choices.csv
touchstone study code studies/stereotype-interviews --out passages.csv
touchstone study code studies/stereotype-interviews --codebook codes.yaml --collect anna.csv,ben.csv --out themes.csv
